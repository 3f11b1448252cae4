import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import {
  type Account,
  addUser,
  ensureUser,
  findAccountByEmail,
  mailIdentity,
  providerIdentity,
} from '#features/auth/users.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { AppError, notFound, unauthenticated } from '#lib/errors.ts'
import type { Provider } from '#lib/auth/oauth-providers.ts'
import { recordAddedWay, recordRemovedWay } from '#features/auth/ways/added-ways.server.ts'
import { LINK_TEXTS } from './oauth.ts'
import { canSignIn, readSignInWays, type UsableWays } from '#features/auth/ways/ways.server.ts'
import type { ProviderIdentity } from './providers.server.ts'

/** Thrown for the first sign-in with a provider whose address belongs to an account, but whose mailbox it does not host. */
export class UnlinkedAccountError extends Error {}

/**
 * Finds or creates the account of a provider's identity: the account already linked to it; else the one with the address of a
 * mailbox that the provider hosts, which is then linked; else a new one. An address that the provider verified once, but whose
 * mailbox it does not host, is neither matched nor stored: its mailbox may belong to somebody else today. The member of an account
 * with that address links the provider after a code of ours (`linkProvider`).
 * @param admit quota consulted before a new account is created
 * @throws UnlinkedAccountError; AppError 403 where the identity belonged to a banned account that was deleted; 429 from `admit`
 */
export function signInByProvider(
  db: Db,
  provider: Provider,
  { id, hostedEmail, claimedEmail }: ProviderIdentity,
  now = Date.now(),
  admit: Quota = unlimitedQuota,
): Promise<Account> {
  return transact(db, async (trx) => {
    const linked = await findLinkedAccount(trx, provider, id)
    if (linked) return linked
    if (claimedEmail && (await findAccountByEmail(trx, claimedEmail))) throw new UnlinkedAccountError()
    const identity = providerIdentity(provider, id)
    const account = hostedEmail
      ? await ensureUser(trx, hostedEmail, now, admit, [identity])
      : // A ban also applies to earlier owners of the address.
        await addUser(trx, claimedEmail ? [identity, mailIdentity(claimedEmail)] : [identity], now, admit)
    await storeLink(trx, provider, id, { id: account.id, authenticatedAt: now }, now)
    return account
  })
}

async function storeLink(
  trx: Trx,
  provider: Provider,
  providerUserId: string,
  member: AuthenticatedMember,
  now: number,
) {
  await recordAddedWay(trx, member, 'provider-linked', { detail: provider }, now)
  await trx
    .insertInto('oauth_accounts')
    .values({ provider, provider_user_id: providerUserId, user_id: member.id, created_at: now })
    .execute()
}

/**
 * Links the provider's identity to the member's account.
 * @returns whether it is linked to the member's account now; false where it is linked to another
 * @throws AppError 403 without recent authentication, and where the identity belonged to a banned account that was deleted
 */
export async function linkProvider(
  db: Db,
  provider: Provider,
  providerUserId: string,
  member: AuthenticatedMember,
  now = Date.now(),
): Promise<boolean> {
  assertRecentSignIn(member, now)
  return transact(db, async (trx) => {
    const linked = await findLinkedAccount(trx, provider, providerUserId)
    if (linked) return linked.id === member.id
    await assertIdentitiesNotBanned(trx, [providerIdentity(provider, providerUserId)], now)
    await storeLink(trx, provider, providerUserId, member, now)
    return true
  })
}

/**
 * Unlinks a provider from the member's account and ends their other sessions: somebody else may have signed in with it.
 * @param usable which ways the site offers: any other is no way in
 * @param sessionId the session that stays
 * @throws AppError 401; 403 without recent authentication, and for banned members, whose ban holds for the provider too; 404 for
 *   one that is not linked; 409 for the account's last way in
 */
export async function unlinkProvider(
  db: Db,
  member: AuthenticatedMember | null,
  provider: Provider,
  { usable, sessionId }: { usable: UsableWays; sessionId: string },
  now = Date.now(),
): Promise<void> {
  if (!member) throw unauthenticated()
  assertRecentSignIn(member, now)
  await transact(db, async (trx) => {
    const unlinked = trx.deleteFrom('oauth_accounts').where('user_id', '=', member.id).where('provider', '=', provider)
    const [row] = await unlinked.returningAll().execute()
    if (!row) throw notFound(LINK_TEXTS.notLinked)
    await assertNotBanned(trx, member.id, now)
    if (!canSignIn(await readSignInWays(trx, member.id, usable))) throw new AppError(409, LINK_TEXTS.lastWay)
    await trx.deleteFrom('sessions').where('user_id', '=', member.id).where('id', '!=', sessionId).execute()
    await recordRemovedWay(trx, 'provider-unlinked', provider, { table: 'oauth_accounts', row }, now)
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
