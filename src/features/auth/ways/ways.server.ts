import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'

/** What the site offers now. */
export interface UsableWays {
  providers: readonly Provider[]
  /** The host that passkeys must be bound to; null where the site offers none. */
  rpId: string | null
}

/** A row for each linked account, one with a null where there is none; every row has all the rest. */
const selectWays = prepareQuery((db, { userId, rpId }: { userId: string; rpId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('oauth_accounts', 'oauth_accounts.user_id', 'users.id')
    .where('users.id', '=', userId)
    .select(({ selectFrom, fn }) => [
      'users.email',
      'oauth_accounts.provider',
      selectFrom('passkeys')
        .select(fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('rp_id', '=', rpId)
        .as('passkeys'),
      selectFrom('secrets')
        .select(fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('kind', '=', 'recovery-code')
        .where('used_at', 'is', null)
        .as('codes'),
    ]),
)

/** The ways by which the member may come in; none for who is not there. */
export async function readSignInWays(db: Db, userId: string, usable: UsableWays): Promise<SignInWays> {
  const rows = await selectWays(db, { userId, rpId: usable.rpId ?? '' })
  return {
    email: rows[0]?.email != null,
    providers: usable.providers.filter((name) => rows.some(({ provider }) => provider === name)).length,
    passkeys: Number(rows[0]?.passkeys ?? 0),
    recoveryCodes: Number(rows[0]?.codes ?? 0),
  }
}

/** Accounts whose only ways in are passkeys of another host than `rpId`; null: of any host. */
export async function countStrandedMembers(db: Db, rpId: string | null): Promise<number> {
  return countRows(
    db
      .selectFrom('users')
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
      .where('id', 'not in', db.selectFrom('oauth_accounts').select('user_id')),
  )
}

/** The ways by which a member may come in. */
export interface SignInWays {
  email: boolean
  /** Linked providers that the site offers. */
  providers: number
  /** Passkeys that work at this site. */
  passkeys: number
  /** Recovery codes that are not used. */
  recoveryCodes: number
}

/** Whether a member could still come in. Recovery codes do not count: they run out. */
export const canSignIn = ({ email, providers, passkeys }: SignInWays): boolean => email || providers + passkeys > 0

/** Whether the loss of one device or provider would end the account for its member: they have neither an address nor recovery codes. */
export const needsSecondWay = ({ email, providers, passkeys, recoveryCodes }: SignInWays): boolean =>
  !email && recoveryCodes === 0 && providers + passkeys < 2
