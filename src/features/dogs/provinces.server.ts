import type { Db } from '#db/client.ts'

/** The start has other things to do first, ms. */
const DELAY = 5000
/** Dogs looked at in a row, and the pause after them: some 100,000 a minute, behind everybody else. */
const BATCH = 100
const PAUSE = 50

export interface ProvinceJob {
  /** Resolves when no dog is left without its province, or the job was closed. */
  done: Promise<void>
  close: () => Promise<void>
}

/**
 * Finds the provinces of dogs from before there were any. Whoever writes a dog writes its province along, so the job ends
 * for good; the gazetteer is read only where there is something to look up.
 */
export function openProvinces(db: Db, { delay = DELAY, pause = PAUSE } = {}): ProvinceJob {
  const ending = new AbortController()
  const rest = (ms: number) =>
    new Promise<void>((go) => {
      if (ending.signal.aborted) return go()
      const timer = setTimeout(go, ms)
      ending.signal.addEventListener('abort', () => (clearTimeout(timer), go()), { once: true })
    })
  const run = async () => {
    await rest(delay)
    while (!ending.signal.aborted && (await fillProvinces(db, BATCH)) === BATCH) await rest(pause)
  }
  const done = run().catch((error: unknown) => console.error('Provinces of older dogs could not be found:', error))
  return {
    done,
    async close() {
      ending.abort()
      await done
    },
  }
}

/** Looks at some of the dogs whose province nobody has looked for. @returns how many */
export async function fillProvinces(db: Db, limit: number): Promise<number> {
  const rows = await db.selectFrom('dogs').select(['id', 'zone']).where('province', 'is', null).limit(limit).execute()
  if (rows.length === 0) return 0
  const { provinceOf } = await import('#features/places/provinces.server.ts')
  const found = rows.map(({ id, zone }) => ({ id, province: provinceOf(zone) }))
  // Written together: pages that show these dogs are made anew once. Of a zone edited meanwhile the edit has told.
  await db.transaction().execute(async (trx) => {
    for (const { id, province } of found)
      await trx.updateTable('dogs').set({ province }).where('id', '=', id).where('province', 'is', null).execute()
  })
  return rows.length
}
