import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { Account } from '#features/auth/users.server.ts'
import { AppError } from '#lib/errors.ts'
import type { AuthenticationResponse } from './passkey-input.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  loadWebAuthn,
  passkeyError,
  storeChallenge,
  takeChallenge,
  toDescriptor,
  verify,
} from './verification.server.ts'

/**
 * The options by which a passkey is asked for (PublicKeyCredentialRequestOptionsJSON).
 * @param userId the member who confirms their identity; null for a sign-in, where the authenticator knows the account
 * @throws AppError 409 for a member without passkeys
 */
export async function beginAuthentication(
  db: Db,
  { id: rpID }: RelyingParty,
  userId: string | null,
  now = Date.now(),
): Promise<object> {
  const passkeys = db.selectFrom('passkeys').select(['credential_id', 'transports'])
  const own = userId === null ? [] : await passkeys.where('user_id', '=', userId).where('rp_id', '=', rpID).execute()
  if (userId !== null && own.length === 0) throw new AppError(409, PASSKEY_TEXTS.none)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: own.map(toDescriptor),
    // Only a checked fingerprint, face or PIN proves that it is the member and not who holds their device.
    userVerification: userId === null ? 'preferred' : 'required',
  })
  await storeChallenge(db, kindOf(userId), { challenge: options.challenge, userId }, now)
  return options
}

const kindOf = (userId: string | null) => (userId === null ? 'passkey-sign-in' : 'passkey-confirm')

/**
 * The account that a passkey opens.
 * @returns it, and whether the authenticator checked who uses it: only then it counts as recent authentication
 * @throws AppError 422
 */
export async function signInByPasskey(
  db: Db,
  rp: RelyingParty,
  response: AuthenticationResponse,
  now = Date.now(),
): Promise<{ account: Account; isVerified: boolean }> {
  const { userId, isVerified } = await takeAnswer(db, rp, null, response, now)
  const account = await db.selectFrom('users').select(['id', 'email']).where('id', '=', userId).executeTakeFirst()
  if (!account) throw passkeyError(PASSKEY_TEXTS.unknown)
  return { account, isVerified }
}

/** Proves by a passkey that the member is who uses their session. @throws AppError 422 */
export const confirmByPasskey = async (
  db: Db,
  rp: RelyingParty,
  userId: string,
  response: AuthenticationResponse,
  now = Date.now(),
): Promise<void> => void (await takeAnswer(db, rp, userId, response, now))

/**
 * Checks an authenticator's answer and records the passkey's use.
 * @param member who confirms their identity, for which the authenticator must check who uses it; null for a sign-in
 * @returns whose passkey it is, and whether the authenticator checked that
 * @throws AppError 422
 */
async function takeAnswer(
  db: Db,
  rp: RelyingParty,
  member: string | null,
  response: AuthenticationResponse,
  now: number,
): Promise<{ userId: string; isVerified: boolean }> {
  const { clientDataJSON, userHandle } = response.response
  const { challenge } = await takeChallenge(db, kindOf(member), clientDataJSON, member, now)
  const passkey = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', response.id)
    .executeTakeFirst()
  if (!passkey) throw passkeyError(PASSKEY_TEXTS.unknown)
  const { user_id: userId, public_key } = passkey
  if (member !== null && userId !== member) throw passkeyError(PASSKEY_TEXTS.foreign)
  if (userHandle != null && userHandle !== passkey.user_handle) throw passkeyError(PASSKEY_TEXTS.refused)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verify(() =>
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      // Its counter is compared below, in the statement that stores the new one.
      credential: { id: passkey.credential_id, publicKey: Buffer.from(public_key, 'base64url'), counter: 0 },
      requireUserVerification: member !== null,
    }),
  )
  if (!verified) throw passkeyError(PASSKEY_TEXTS.refused)
  await recordUse(db, passkey.id, authenticationInfo.newCounter, now)
  return { userId, isVerified: authenticationInfo.userVerified }
}

/**
 * Stores the counter of a signature. One that is not higher than the last may come from a copy of the authenticator (WebAuthn §6.1.1);
 * authenticators that count nothing send 0. @throws AppError 422
 */
async function recordUse(db: Db, id: string, counter: number, now: number): Promise<void> {
  const { numUpdatedRows } = await transact(db, (trx) =>
    trx
      .updateTable('passkeys')
      .set({ counter, used_at: now })
      .where('id', '=', id)
      .where('counter', counter === 0 ? '=' : '<', counter)
      .executeTakeFirstOrThrow(),
  )
  if (numUpdatedRows !== 1n) throw passkeyError(PASSKEY_TEXTS.copied)
}
