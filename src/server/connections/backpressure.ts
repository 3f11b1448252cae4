import type { ServerResponse } from 'node:http'

/**
 * Tells when `res` takes more: Astro writes a streamed body as fast as it is made and would keep in memory whatever a slow
 * reader has not fetched. Whoever streams much awaits this before each piece.
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
