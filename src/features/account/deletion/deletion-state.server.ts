import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import type { AccountDeletionsTable } from '#db/schema.ts'
import { peekSecret } from '#features/secrets/secrets.server.ts'

export type AccountDeletion = Selectable<AccountDeletionsTable>

/** The member's deletion that is still to be undone or done. */
export const findDeletion = (db: Db, userId: string): Promise<AccountDeletion | undefined> =>
  db.selectFrom('account_deletions').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** The same where it is in this state: every step of hiding and of restoring asks first, since the other may have begun meanwhile. */
export async function findDeletionIn(
  db: Db,
  userId: string,
  state: AccountDeletion['state'],
): Promise<AccountDeletion | undefined> {
  const deletion = await findDeletion(db, userId)
  return deletion?.state === state ? deletion : undefined
}

export async function findDeletionByLink(db: Db, token: string, now: number): Promise<AccountDeletion | undefined> {
  const secret = await peekSecret(db, 'undo-deletion', token, now)
  return secret && findDeletion(db, secret.user_id!)
}

export type DeletionLink =
  | { state: 'open'; dueAt: number; dogs: AccountDeletion['dogs'] }
  | { state: 'late' | 'unknown' }

/** What a mailed link leads to, without using it: mail scanners open its page too. */
export async function inspectDeletionLink(db: Db, token: string, now = Date.now()): Promise<DeletionLink> {
  const deletion = await findDeletionByLink(db, token, now)
  if (!deletion) return { state: 'unknown' }
  if (deletion.due_at <= now) return { state: 'late' }
  return { state: 'open', dueAt: deletion.due_at, dogs: deletion.dogs }
}

/** How many accounts wait for their deletion. */
export async function countDeletions(db: Db): Promise<number> {
  return countRows(db.selectFrom('account_deletions'))
}
