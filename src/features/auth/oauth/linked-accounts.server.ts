import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { providerIdentity } from '#features/auth/identities.server.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { type Account, ensureUser } from '#features/auth/users.server.ts'
import type { ProviderIdentity } from './providers.server.ts'

/**
 * The account of somebody whom a provider vouches for: the one they used it for before; else the one whose address the
 * provider says it verified, which is linked from then on; else a new one. Every address in `users` was proved by its
 * holder, by mail or to a provider, so an address that nobody checked is neither linked by nor kept: whoever typed
 * somebody else's into a provider would otherwise be waiting in their account.
 * @param admit asked before a new one is made
 * @throws AppError 403 where the account of before was banned when it was deleted; 429 what `admit` says
 */
export function signInByProvider(
  db: Db,
  provider: Provider,
  { id, verifiedEmail }: ProviderIdentity,
  now = Date.now(),
  admit: Quota = unlimitedQuota,
): Promise<Account> {
  return db.transaction().execute(async (trx) => {
    const known = await findLinkedAccount(trx, provider, id)
    if (known) return known
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

/** The account that uses this sign-in already. */
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
