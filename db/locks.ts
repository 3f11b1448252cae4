import type { Db } from './client.ts'
import { hasLocks, lockKeys, lockRows } from './dialect/locks.ts'

// What transactions that check and then write exclude each other by (docs/adr/0155). Each locks in this order: members, the dog,
// the target of a case, other keys. `lockRows` (db/dialect/locks.ts) locks rows where they are read.

/**
 * Excludes everything that members write themselves (`assertNotBanned` holds the weakest lock of their row): for what is decided about
 * them, or counted of them.
 */
export async function lockMembers(trx: Db, ids: readonly string[]): Promise<void> {
  if (!hasLocks(trx)) return
  const users = trx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id')
  await users.$call(lockRows(trx, 'deletion')).execute()
}

/**
 * Excludes other changes of a dog, its people and its requests, whether it is public or in quarantine. Likes and comments lock its row
 * alone.
 */
export const lockDog = (trx: Db, id: string): Promise<void> => lockKeys(trx, 'dog', [id])

/** Excludes other reports and decisions about these targets. A photo's id is its url. */
export const lockTargets = (trx: Db, targets: readonly { kind: string; thing_id: string }[]): Promise<void> =>
  lockKeys(
    trx,
    'target',
    targets.map(({ kind, thing_id }) => `${kind}:${thing_id}`),
  )
