import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'

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
