import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { matchLostCase, SETTLE_MS } from './matching.server.ts'

/** Cases that one statement looks up. */
const CASES_PER_BATCH = 50

/**
 * Compares the lost dogs that are new, or have changed since, with the open notices: `lost` is below `found` and cannot call it. A case is
 * compared SETTLE_MS after it was written, so that nothing that was written beside it is missed. The state is in the database: an
 * interrupted round goes on, and two nodes notify nobody twice. A case that fails holds up no other, and is compared again in the next round.
 * @returns how many cases it compared
 */
export async function scanLostCases(db: Db, signal?: AbortSignal, now = Date.now()): Promise<number> {
  let scanned = 0
  for (let after = ''; ;) {
    const cases = await db
      .selectFrom('lost_cases as c')
      .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
      .leftJoin('found_scans as s', 's.case_id', 'c.id')
      .select('c.id')
      .where('c.updated_at', '<=', now - SETTLE_MS)
      .where((eb) =>
        eb.or([eb('s.case_updated_at', 'is', null), eb('s.case_updated_at', '!=', eb.ref('c.updated_at'))]),
      )
      .where('c.id', '>', after)
      .orderBy('c.id')
      .limit(CASES_PER_BATCH)
      .execute()
    for (const { id } of cases) {
      if (signal?.aborted) return scanned
      try {
        await transact(db, (trx) => matchLostCase(trx, id, now))
        scanned++
      } catch (error) {
        console.error('perrario · un perro perdido se compara en la próxima vuelta:', error)
      }
      await nextTurn()
    }
    const last = cases.at(-1)
    if (!last || cases.length < CASES_PER_BATCH) return scanned
    after = last.id
  }
}
