import type { ServerResponse } from 'node:http'

/**
 * A function whose promise resolves when `res` takes more (backpressure). Astro writes a streamed body as fast as it is made
 * and buffers what a slow reader has not fetched. Large streams await this before each chunk.
 */
export const createDrainWaiter = (res: ServerResponse) => (): Promise<void> =>
  new Promise((done) => {
    if (!res.writableNeedDrain || res.destroyed) return done()
    const end = () => {
      res.off('drain', end)
      res.off('close', end)
      done()
    }
    res.on('drain', end)
    res.on('close', end)
  })
