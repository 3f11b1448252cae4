import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
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
  trx: Trx,
  email: string,
  now = Date.now(),
  admit = unlimitedQuota,
  identities: readonly string[] = [],
): Promise<Account> {
  const existing = await findAccountByEmail(trx, email)
  if (existing) return existing
  await assertIdentitiesNotBanned(trx, [mailIdentity(email), ...identities], now)
  await assertNotReserved(trx, email, null, now)
  await admit(() =>
    trx
      .insertInto('users')
      .values({ id: randomUUID(), email, created_at: now })
      .onConflict((c) => c.column('email').doNothing())
      .execute(),
  )
  return (await findAccountByEmail(trx, email))!
}

/** The same in a transaction of its own. */
export const ensureUserNow = (db: Db, email: string): Promise<Account> => transact(db, (trx) => ensureUser(trx, email))

/** Creates an account without address. @throws as `ensureUser` */
export async function addUser(
  trx: Trx,
  identities: readonly string[],
  now = Date.now(),
  admit: Quota = unlimitedQuota,
): Promise<Account> {
  await assertIdentitiesNotBanned(trx, identities, now)
  const account = { id: randomUUID(), email: null }
  const insert = trx.insertInto('users').values({ ...account, created_at: now })
  await admit(() => insert.execute())
  return account
}
