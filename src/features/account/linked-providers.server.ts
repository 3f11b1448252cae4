import type { Db } from '#db/client.ts'
import { PROVIDERS, type Provider } from '#lib/auth/oauth-providers.ts'

/** The providers whose sign-in is linked to the member's account, in the order of their buttons. */
export async function findLinkedProviders(db: Db, userId: string): Promise<Provider[]> {
  const rows = await db.selectFrom('oauth_accounts').select('provider').where('user_id', '=', userId).execute()
  return PROVIDERS.filter((provider) => rows.some((row) => row.provider === provider))
}
