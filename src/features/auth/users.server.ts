import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { assertNotReserved } from './email-change/reserved-addresses.server.ts'
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
 * @throws AppError 403 where an identity belonged to a banned account that was deleted; 409 for an address that an account has just given up;
 *   429 from `admit`
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
  await assertNotReserved(db, email, null, now)
  await admit(() =>
    db
      .insertInto('users')
      .values({ id: randomUUID(), email, created_at: now })
      .onConflict((c) => c.column('email').doNothing())
      .execute(),
  )
  return (await findAccountByEmail(db, email))!
}

/** Creates an account without address. @throws as `ensureUser` */
export async function addUser(
  db: Db,
  identities: readonly string[],
  now = Date.now(),
  admit: Quota = unlimitedQuota,
): Promise<Account> {
  await assertIdentitiesNotBanned(db, identities, now)
  const account = { id: randomUUID(), email: null }
  const insert = db.insertInto('users').values({ ...account, created_at: now })
  await admit(() => insert.execute())
  return account
}
