import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotDisputed } from '#features/auth/dispute/dispute.server.ts'
import { findAccountByEmail, mailIdentity } from '#features/auth/users.server.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { verifyCode } from '#features/auth/sign-in/sign-in-codes.server.ts'
import { issueTokenWithinLimits } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { SIGN_IN_TEXTS } from '#features/auth/sign-in/sign-in.ts'
import { recordAddedWay } from '#features/auth/ways/added-ways.server.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { AppError, invalid, unauthenticated } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
import { EMAIL_CHANGE_TEXTS } from './email-change.ts'
import { assertNotReserved, isReserved } from './confirmed-addresses.server.ts'

/** A member, as their session shows them. */
export interface AddressHolder extends AuthenticatedMember {
  email: string | null
}

/** What is mailed to the new address; nothing beyond the limits of a mailbox. */
export type AddressMail = { kind: 'code'; code: string; expiresAt: number } | { kind: 'taken' | 'reserved' } | null

/**
 * Begins to add or change the member's address. A later request replaces an earlier one that is not confirmed.
 * @returns what to mail: who asks learns only from the mailbox whether the address has an account, or had one lately, and only by its
 *   code whether its holder is banned
 * @throws AppError 401; 403 without recent authentication and for banned members, whose ban holds for their address; 409 in dispute; 422
 */
export async function requestEmailChange(
  db: Db,
  member: AddressHolder | null,
  email: string,
  now = Date.now(),
): Promise<AddressMail> {
  if (!member) throw unauthenticated()
  assertRecentSignIn(member, now)
  if (email === member.email) throw invalid(EMAIL_CHANGE_TEXTS.same, { email: EMAIL_CHANGE_TEXTS.same })
  await assertNotDisputed(db, member.id, now)
  const secrets = await issueTokenWithinLimits(db, email, { purpose: 'address' }, now)
  await transact(db, async (trx) => {
    await assertNotBanned(trx, member.id, now)
    await trx.deleteFrom('email_changes').where('user_id', '=', member.id).where('confirmed_at', 'is', null).execute()
    await trx
      .insertInto('email_changes')
      .values({ id: randomUUID(), user_id: member.id, email, created_at: now })
      .execute()
    await logSecurityEvent(trx, member.id, 'email-requested', {}, now)
  })
  if (!secrets) return null
  if (await findAccountByEmail(db, email)) return { kind: 'taken' }
  if (await isReserved(db, email, member.id, now)) return { kind: 'reserved' }
  return { kind: 'code', code: secrets.code, expiresAt: secrets.expiresAt }
}

/** The address that the member has yet to confirm; null for none. */
export async function findPendingEmail(db: Db, userId: string, now = Date.now()): Promise<string | null> {
  const row = await db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', now - DAY_MS)
    .executeTakeFirst()
  return row?.email ?? null
}

/**
 * Confirms the new address by the code that was mailed there, and notifies all of the account's.
 * @returns it
 * @throws AppError 401; 403 without recent authentication, and for an address whose holder is banned; 409 in dispute, without an address to
 *   confirm, and for one that has an account by now or is reserved; 422 for a wrong or used code; 429 after too many
 */
export async function confirmEmailChange(
  db: Db,
  member: AuthenticatedMember | null,
  code: string,
  now = Date.now(),
): Promise<string> {
  if (!member) throw unauthenticated()
  assertRecentSignIn(member, now)
  const email = await findPendingEmail(db, member.id, now)
  if (email === null) throw new AppError(409, EMAIL_CHANGE_TEXTS.none)
  if (!(await verifyCode(db, { email, code, purpose: 'address', device: null }, now)))
    throw invalid(SIGN_IN_TEXTS.wrongCode, { code: SIGN_IN_TEXTS.wrongCode })
  return transact(db, async (trx) => {
    await assertNotBanned(trx, member.id, now)
    await assertNotDisputed(trx, member.id, now)
    await assertIdentitiesNotBanned(trx, [mailIdentity(email)], now)
    await assertNotReserved(trx, email, member.id, now)
    if (await findAccountByEmail(trx, email)) throw new AppError(409, EMAIL_CHANGE_TEXTS.taken)
    const user = await trx.selectFrom('users').select('email').where('id', '=', member.id).executeTakeFirstOrThrow()
    const { numUpdatedRows } = await trx
      .updateTable('email_changes')
      .set({ confirmed_at: now, previous_email: user.email })
      .where('user_id', '=', member.id)
      .where('email', '=', email)
      .where('confirmed_at', 'is', null)
      .executeTakeFirstOrThrow()
    // Another tab has asked for another address meanwhile.
    if (numUpdatedRows !== 1n) throw new AppError(409, EMAIL_CHANGE_TEXTS.none)
    await trx.updateTable('users').set({ email }).where('id', '=', member.id).execute()
    // Links and codes that wait in the old mailbox would open another account.
    if (user.email !== null) await trx.deleteFrom('sign_in_tokens').where('email', '=', user.email).execute()
    await recordAddedWay(trx, member, user.email === null ? 'email-added' : 'email-changed', {}, now)
    return email
  })
}
