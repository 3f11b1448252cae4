import type { Db } from '#db/client.ts'
import { PROVIDERS, type Provider } from '#lib/auth/oauth-providers.ts'

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
