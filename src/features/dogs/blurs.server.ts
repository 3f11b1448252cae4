import type { Db } from '#db/client.ts'
import { blurOfStored } from '#features/photos/blur.server.ts'

/** The start has other things to do first, ms. */
const DELAY = 10_000
/** Photos looked at in a row, and the pause after them: some 3,000 a minute at most, one at a time, behind everybody else. */
const BATCH = 20
const PAUSE = 400

export interface BlurJob {
  /** Resolves when no photo is left without its colours, or the job was closed. */
  done: Promise<void>
  close: () => Promise<void>
}

/**
 * Finds the colours (photos/blur.ts) of photos from before there were any. A photo that is lost or broken gets none and is
 * not looked at again; new photos bring theirs along, so the job ends for good.
 */
export function openBlurs(db: Db, dataDir: string, { delay = DELAY, pause = PAUSE } = {}): BlurJob {
  const ending = new AbortController()
  const rest = (ms: number) =>
    new Promise<void>((go) => {
      if (ending.signal.aborted) return go()
      const timer = setTimeout(go, ms)
      ending.signal.addEventListener('abort', () => (clearTimeout(timer), go()), { once: true })
    })
  const run = async () => {
    await rest(delay)
    while (!ending.signal.aborted && (await fillSome(db, dataDir)) === BATCH) await rest(pause)
  }
  const done = run().catch((error: unknown) => console.error('Blurs of older photos could not be found:', error))
  return {
    done,
    async close() {
      ending.abort()
      await done
    },
  }
}

/** @returns how many photos were looked at */
async function fillSome(db: Db, dataDir: string): Promise<number> {
  const rows = await db.selectFrom('dog_images').select('url').where('blur', 'is', null).limit(BATCH).execute()
  const found: [string, string][] = []
  for (const { url } of rows) found.push([url, await blurOfStored(dataDir, url)])
  // Written together: pages that show these dogs are made anew once.
  await db.transaction().execute(async (trx) => {
    for (const [url, blur] of found)
      await trx.updateTable('dog_images').set({ blur }).where('url', '=', url).where('blur', 'is', null).execute()
  })
  return rows.length
}
