import type { Db } from '#db/client.ts'
import type { AccountDeletionsTable } from '#db/schema.ts'
import { MAX_SESSION_DAYS } from '#features/auth/auth.ts'
import { DAY_MS } from '#lib/time.ts'

/** Who signed in to an account that waits for its deletion: they may undo or end that, and nothing else. Times in milliseconds. */
export interface LeavingAccount {
  id: string
  email: string | null
  dogs: AccountDeletionsTable['dogs']
  state: AccountDeletionsTable['state']
  requestedAt: number
  dueAt: number
  authenticatedAt: number
}

/** The account that waits for its deletion behind an open session (`toSessionId`); null for none. By primary keys. */
export async function findLeavingAccount(db: Db, sessionId: string, now = Date.now()): Promise<LeavingAccount | null> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('account_deletions as d', 'd.user_id', 's.user_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.email', 'd.dogs', 'd.state', 'd.requested_at', 'd.due_at', 's.proved_at'])
    .where('s.id', '=', sessionId)
    .where('s.expires_at', '>', Math.floor(now / 1000))
    .where('s.created_at', '>', now - MAX_SESSION_DAYS * DAY_MS)
    .executeTakeFirst()
  if (!row) return null
  const { requested_at, due_at, proved_at, ...account } = row
  return { ...account, requestedAt: requested_at, dueAt: due_at, authenticatedAt: proved_at }
}
