import type { Db } from '#db/client.ts'
import { AppError } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
import { EMAIL_CHANGE_TEXTS, UNDO_DAYS } from './email-change.ts'

/**
 * Call it before an address becomes an account's: while a change may be undone, its old address stays with its account.
 * @param userId the account that it shall belong to; null for a new one
 * @throws AppError 409
 */
export async function assertNotReserved(db: Db, email: string, userId: string | null, now: number): Promise<void> {
  const row = await db
    .selectFrom('email_changes')
    .select('id')
    .where('previous_email', '=', email)
    .where('confirmed_at', '>', now - UNDO_DAYS * DAY_MS)
    .$if(userId !== null, (query) => query.where('user_id', '!=', userId!))
    .executeTakeFirst()
  if (row) throw new AppError(409, EMAIL_CHANGE_TEXTS.reserved, { errors: { email: EMAIL_CHANGE_TEXTS.reserved } })
}
