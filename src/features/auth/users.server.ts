import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { mailIdentity } from './identities.server.ts'

export interface Account {
  id: string
  email: string | null
}

export const findAccountByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.selectFrom('users').select(['id', 'email']).where('email', '=', email).executeTakeFirst()

/**
 * Finds the account of a verified address, or creates it on the first sign-in. Two parallel calls create one.
 * @param admit quota consulted before an account is created
 * @param identities further verified identities of the person (identities.server.ts)
 * @throws AppError 403 where an identity belonged to a banned account that was deleted; 429 from `admit`
 */
export async function ensureUser(
  db: Db,
  email: string,
  now = Date.now(),
  admit = unlimitedQuota,
  identities: readonly string[] = [],
): Promise<Account> {
  const existing = await findAccountByEmail(db, email)
  if (existing) return existing
  await assertIdentitiesNotBanned(db, [mailIdentity(email), ...identities], now)
  await admit(() =>
    db
      .insertInto('users')
      .values({ id: randomUUID(), email, created_at: now })
      .onConflict((c) => c.column('email').doNothing())
      .execute(),
  )
  return (await findAccountByEmail(db, email))!
}
