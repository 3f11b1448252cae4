import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { assertNotReserved } from '#features/auth/email-change/confirmed-addresses.server.ts'
import { type Provider, PROVIDERS } from '#lib/auth/oauth-providers.ts'

export interface Account {
  id: string
  email: string | null
}

export const findAccountByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.selectFrom('users').select(['id', 'email']).where('email', '=', email).executeTakeFirst()

/**
 * Finds the account of a verified address, or creates it on the first sign-in. Two parallel calls create one.
 * @param admit quota consulted before an account is created
 * @param identities further verified identities of the person (`providerIdentity`)
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

/** Sign-in identities in one format: an e-mail address as `users` stores it, or a provider's account. */
export const mailIdentity = (email: string): string => `mail:${email}`
export const providerIdentity = (provider: Provider, providerUserId: string): string => `${provider}:${providerUserId}`

/** All identities that sign in to the account. */
export async function listIdentities(db: Db, userId: string): Promise<string[]> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  const accounts = await db
    .selectFrom('oauth_accounts')
    .select(['provider', 'provider_user_id'])
    .where('user_id', '=', userId)
    .execute()
  return [
    ...(user?.email ? [mailIdentity(user.email)] : []),
    ...accounts.map((row) => providerIdentity(row.provider as Provider, row.provider_user_id)),
  ]
}

/** The providers linked to the member's account, in the order of their buttons. */
export async function findLinkedProviders(db: Db, userId: string): Promise<Provider[]> {
  const rows = await db.selectFrom('oauth_accounts').select('provider').where('user_id', '=', userId).execute()
  return PROVIDERS.filter((provider) => rows.some((row) => row.provider === provider))
}

/**
 * Deletes the links and codes mailed to the member's addresses, and frees the account's own. Call it inside a transaction, before the
 * rows of the addresses are deleted.
 */
export async function revokeAddresses(trx: Trx, userId: string): Promise<void> {
  const user = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (user?.email) await trx.deleteFrom('sign_in_tokens').where('email', '=', user.email).execute()
  const asked = trx.selectFrom('email_changes').select('email').where('user_id', '=', userId)
  await trx.deleteFrom('sign_in_tokens').where('purpose', '=', 'address').where('email', 'in', asked).execute()
  await trx.updateTable('users').set({ email: null }).where('id', '=', userId).execute()
}

/** Ends all sessions of an account, with their devices' notifications. Call it inside a transaction, which lucia would write outside of. */
export async function endSessionsOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
