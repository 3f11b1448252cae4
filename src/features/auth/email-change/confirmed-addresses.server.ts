import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { AppError } from '#lib/errors.ts'
import { EMAIL_CHANGE_TEXTS } from './email-change.ts'

/** The account's address, and those before it whose holder may still undo the change: who took the account over is not the only one notified. */
export async function listConfirmedAddresses(db: Db, userId: string, now = Date.now()): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .unionAll(
      db
        .selectFrom('email_changes')
        .select('previous_email as email')
        .where('user_id', '=', userId)
        .where('confirmed_at', '>', now - UNDO_DAYS * DAY_MS),
    )
    .execute()
  return [...new Set(rows.map(({ email }) => email).filter((email) => email !== null))]
}

/**
 * Whether an address stays with another account, which may still undo its change.
 * @param userId the account that it shall belong to; null for a new one
 */
export async function isReserved(db: Db, email: string, userId: string | null, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('email_changes')
    .select('id')
    .where('previous_email', '=', email)
    .where('confirmed_at', '>', now - UNDO_DAYS * DAY_MS)
    .$if(userId !== null, (query) => query.where('user_id', '!=', userId!))
    .executeTakeFirst()
  return row !== undefined
}

/** Call it before an address becomes an account's, of who has proved that they read its mailbox. @throws AppError 409 */
export async function assertNotReserved(db: Db, email: string, userId: string | null, now: number): Promise<void> {
  if (await isReserved(db, email, userId, now))
    throw new AppError(409, EMAIL_CHANGE_TEXTS.reserved, { errors: { email: EMAIL_CHANGE_TEXTS.reserved } })
}
