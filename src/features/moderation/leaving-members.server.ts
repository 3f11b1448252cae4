import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'

/**
 * Whether the member of a column has an account that waits for its deletion or is being erased, for another query: nothing of theirs is
 * shown. False for null.
 */
export const isLeaving = (column: string) =>
  sql<boolean>`(EXISTS (SELECT 1 FROM account_deletions WHERE user_id = ${sql.ref(column)})
    OR EXISTS (SELECT 1 FROM account_erasures WHERE user_id = ${sql.ref(column)}))`

/** The same of members by their ids. */
export const hasLeavingMember = async (db: Db, ids: readonly string[]): Promise<boolean> =>
  (await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', 'in', ids)
    .union(db.selectFrom('account_erasures').select('user_id').where('user_id', 'in', ids))
    .executeTakeFirst()) !== undefined

/**
 * Whether the account of one of these members waits for its deletion (features/account/deletion), until the transaction ends: nothing of
 * theirs may become public. Null ids are nobody's.
 */
export async function isAnyLeaving(trx: Trx, ids: readonly (string | null)[]): Promise<boolean> {
  const members = [...new Set(ids.filter((id) => id !== null))]
  if (members.length === 0) return false
  const row = await trx
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', 'in', members)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
