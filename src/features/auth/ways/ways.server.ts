import type { Db } from '#db/client.ts'
import { findLinkedProviders } from '#features/auth/identities.server.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import type { SignInWays } from './ways.ts'

/** What the site offers now. */
export interface UsableWays {
  providers: readonly Provider[]
  /** The host that passkeys must be bound to; null where the site offers none. */
  rpId: string | null
}

/** The ways by which the member may come in. */
export async function readSignInWays(db: Db, userId: string, usable: UsableWays): Promise<SignInWays> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  const linked = await findLinkedProviders(db, userId)
  const passkeys = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('rp_id', '=', usable.rpId ?? '')
    .executeTakeFirstOrThrow()
  const codes = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    email: user?.email != null,
    providers: linked.filter((name) => usable.providers.includes(name)).length,
    passkeys: Number(passkeys.count),
    recoveryCodes: Number(codes.count),
  }
}

/** Accounts whose only ways in are passkeys of another host than `rpId`; null: of any host. */
export async function countStrandedMembers(db: Db, rpId: string | null): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('email', 'is', null)
    .where('id', 'in', db.selectFrom('passkeys').select('user_id'))
    .where(
      'id',
      'not in',
      db
        .selectFrom('passkeys')
        .select('user_id')
        .where('rp_id', '=', rpId ?? ''),
    )
    .where('id', 'not in', db.selectFrom('oauth_accounts').select('user_id'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
