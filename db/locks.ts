import type { Db } from './client.ts'
import { hasLocks, lockKeys, lockRows, type RowLock } from './dialect/locks.ts'
import { prepareQuery } from './prepared.ts'

// What transactions that check and then write exclude each other by (docs/adr/0158). Each locks in this order: its members, the dog,
// the target of a case, other keys. `lockRows` (db/dialect/locks.ts) locks rows where they are read.

const lockReferenced = prepareQuery((db, { id }: { id: string }) =>
  db.selectFrom('users').select('id').where('id', '=', id).forKeyShare(),
)

/**
 * Locks members' rows. What a member writes holds `reference` (`assertNotBanned`); what is decided about them, or must find all that they
 * wrote, takes `deletion` and excludes it.
 */
export async function lockMembers(trx: Db, ids: readonly string[], lock: RowLock): Promise<void> {
  if (!hasLocks(trx)) return
  const [id, ...others] = ids
  // Every write of a member.
  if (lock === 'reference' && id !== undefined && others.length === 0) return void (await lockReferenced(trx, { id }))
  await trx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').$call(lockRows(trx, lock)).execute()
}

/**
 * Excludes every other change of a dog, whether it is public or in quarantine. Likes and comments lock its row alone.
 * @param lock `deletion` also waits for all that is being added to it
 */
export async function lockDog(trx: Db, id: string, lock: RowLock = 'change'): Promise<void> {
  if (!hasLocks(trx)) return
  await lockKeys(trx, 'dog', [id])
  await trx.selectFrom('dogs').select('id').where('id', '=', id).$call(lockRows(trx, lock)).execute()
}

/** Excludes other reports and decisions about these targets. A photo's id is its url. */
export const lockTargets = (trx: Db, targets: readonly { kind: string; thing_id: string }[]): Promise<void> =>
  lockKeys(
    trx,
    'target',
    targets.map(({ kind, thing_id }) => `${kind}:${thing_id}`),
  )
