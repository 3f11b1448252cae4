import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { providerIdentity } from '#features/auth/identities.server.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { type Account, ensureUser } from '#features/auth/users.server.ts'
import type { ProviderIdentity } from './providers.server.ts'

/**
 * Finds or creates the account of a provider's identity: the account already linked to it; else the one with the e-mail address
 * that the provider verified, which is then linked; else a new one. Every address in `users` was verified, by mail or by a
 * provider. An unverified address is neither matched nor stored: otherwise a person who typed another's address at a provider
 * would get into their account.
 * @param admit quota consulted before a new account is created
 * @throws AppError 403 where the identity belonged to a banned account that was deleted; 429 from `admit`
 */
export function signInByProvider(
  db: Db,
  provider: Provider,
  { id, verifiedEmail }: ProviderIdentity,
  now = Date.now(),
  admit: Quota = unlimitedQuota,
): Promise<Account> {
  return db.transaction().execute(async (trx) => {
    const linked = await findLinkedAccount(trx, provider, id)
    if (linked) return linked
    const identity = providerIdentity(provider, id)
    const account = verifiedEmail
      ? await ensureUser(trx, verifiedEmail, now, admit, [identity])
      : await addUser(trx, identity, now, admit)
    await trx
      .insertInto('oauth_accounts')
      .values({ provider, provider_user_id: id, user_id: account.id, created_at: now })
      .execute()
    return account
  })
}

/** The account linked to the provider's identity. */
export const findLinkedAccount = (db: Db, provider: Provider, providerUserId: string): Promise<Account | undefined> =>
  db
    .selectFrom('oauth_accounts')
    .innerJoin('users', 'users.id', 'oauth_accounts.user_id')
    .select(['users.id', 'users.email'])
    .where('provider', '=', provider)
    .where('provider_user_id', '=', providerUserId)
    .executeTakeFirst()

async function addUser(db: Db, identity: string, now: number, admit: Quota): Promise<Account> {
  await assertIdentitiesNotBanned(db, [identity], now)
  const account = { id: randomUUID(), email: null }
  const insert = db.insertInto('users').values({ ...account, created_at: now })
  await admit(() => insert.execute())
  return account
}
