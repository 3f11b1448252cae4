import type { ServerResponse } from 'node:http'

/**
 * Creates a function whose promise resolves when `res` accepts more bytes (backpressure) or is closed. Astro writes a streamed
 * body as fast as it is produced and buffers what a slow client has not read. Large streams await this before each chunk.
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
