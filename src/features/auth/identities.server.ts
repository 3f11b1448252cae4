import type { Db } from '#db/client.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'

/** What somebody proves when they sign in, in one spelling: an address as `users` keeps it, an account of a provider. */
export const mailIdentity = (email: string): string => `mail:${email}`
export const providerIdentity = (provider: Provider, providerUserId: string): string => `${provider}:${providerUserId}`

/** All that an account can be signed in to with. */
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
