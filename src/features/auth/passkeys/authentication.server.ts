import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { PasskeysTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import type { Account } from '#features/auth/users.server.ts'
import { AppError } from '#lib/errors.ts'
import { storeChallenge, takeChallenge } from './challenges.server.ts'
import type { AuthenticationResponse } from './passkey-input.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import { loadWebAuthn, passkeyError, verify } from './verification.server.ts'

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
  const own = userId === null ? [] : await findCredentials(db, userId, rpID)
  if (userId !== null && own.length === 0) throw new AppError(409, PASSKEY_TEXTS.none)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: own.map((row) => ({
      id: row.credential_id,
      transports: row.transports.split(' ').filter(Boolean),
    })),
    // Only a checked fingerprint, face or PIN proves that it is the member and not who holds their device.
    userVerification: userId === null ? 'preferred' : 'required',
  })
  const purpose = userId === null ? 'sign-in' : 'confirm'
  await storeChallenge(db, { challenge: options.challenge, purpose, userId }, now)
  return options
}

const findCredentials = (db: Db, userId: string, rpId: string) =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('rp_id', '=', rpId)
    .execute()

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
  const { challenge } = await takeChallenge(
    db,
    response.response.clientDataJSON,
    { purpose: 'sign-in', userId: null },
    now,
  )
  const passkey = await findPasskey(db, response)
  const isVerified = await usePasskey(db, rp, passkey, response, { challenge, mustVerify: false }, now)
  const account = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', passkey.user_id)
    .executeTakeFirst()
  if (!account) throw passkeyError(PASSKEY_TEXTS.unknown)
  return { account, isVerified }
}

/** Proves by a passkey that the member is who uses their session. @throws AppError 422 */
export async function confirmByPasskey(
  db: Db,
  rp: RelyingParty,
  userId: string,
  response: AuthenticationResponse,
  now = Date.now(),
): Promise<void> {
  const asked = { purpose: 'confirm' as const, userId }
  const { challenge } = await takeChallenge(db, response.response.clientDataJSON, asked, now)
  const passkey = await findPasskey(db, response)
  if (passkey.user_id !== userId) throw passkeyError(PASSKEY_TEXTS.foreign)
  await usePasskey(db, rp, passkey, response, { challenge, mustVerify: true }, now)
}

async function findPasskey(db: Db, response: AuthenticationResponse): Promise<Selectable<PasskeysTable>> {
  const row = await db.selectFrom('passkeys').selectAll().where('credential_id', '=', response.id).executeTakeFirst()
  if (!row) throw passkeyError(PASSKEY_TEXTS.unknown)
  return row
}

/** Checks the signature and records the use. @returns whether the authenticator checked who uses it. @throws AppError 422 */
async function usePasskey(
  db: Db,
  rp: RelyingParty,
  passkey: Selectable<PasskeysTable>,
  response: AuthenticationResponse,
  { challenge, mustVerify }: { challenge: string; mustVerify: boolean },
  now: number,
): Promise<boolean> {
  const { userHandle } = response.response
  if (userHandle != null && userHandle !== passkey.user_handle) throw passkeyError(PASSKEY_TEXTS.refused)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verify(() =>
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      // Its counter is compared below, in the statement that stores the new one.
      credential: { id: passkey.credential_id, publicKey: Buffer.from(passkey.public_key, 'base64url'), counter: 0 },
      requireUserVerification: mustVerify,
    }),
  )
  if (!verified) throw passkeyError(PASSKEY_TEXTS.refused)
  await recordUse(db, passkey.id, authenticationInfo.newCounter, now)
  return authenticationInfo.userVerified
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
