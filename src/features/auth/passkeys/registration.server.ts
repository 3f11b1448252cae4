import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { transact } from '#db/transact.ts'
import { type AuthenticatedMember, assertRecentSignIn } from '#features/auth/recent-auth/recent-auth.ts'
import { type Account, addUser } from '#features/auth/users.server.ts'
import { recordAddedWay } from '#features/auth/ways/added-ways.server.ts'
import { formatDate } from '#lib/dates.ts'
import { AppError } from '#lib/errors.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import type { RegistrationResponse } from './passkey-input.ts'
import { MAX_PASSKEYS, type Passkey, PASSKEY_TEXTS } from './passkeys.ts'
import { toPasskey } from './passkeys.server.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  loadWebAuthn,
  passkeyError,
  SIGNATURE_ALGORITHMS,
  storeChallenge,
  takeChallenge,
  toDescriptor,
  verify,
} from './verification.server.ts'

/** Bytes of a user handle: the most that WebAuthn allows (§5.4.3) and says nothing of its account. */
const USER_HANDLE_BYTES = 64

/** What authenticators list the account as. */
export interface PasskeyOwner extends AuthenticatedMember {
  email: string | null
  alias: string
}

/**
 * The options of a new passkey (PublicKeyCredentialCreationOptionsJSON): of the member's account, or of a new account for a visitor.
 * @throws AppError 403 without recent authentication; 409 for a member with MAX_PASSKEYS
 */
export async function beginRegistration(
  db: Db,
  { id: rpID }: RelyingParty,
  owner: PasskeyOwner | null,
  now = Date.now(),
): Promise<object> {
  const own = owner ? await findOwnCredentials(db, owner, now) : []
  const handle = own[0]?.user_handle ?? randomBytes(USER_HANDLE_BYTES).toString('base64url')
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Perrario',
    rpID,
    userID: Buffer.from(handle, 'base64url'),
    // Several accounts may be on one device: the day tells those apart that have no name yet.
    userName: owner ? (owner.email ?? owner.alias) : `Perrario · ${formatDate(now)}`,
    userDisplayName: owner?.alias ?? 'Perrario',
    attestationType: 'none',
    supportedAlgorithmIDs: SIGNATURE_ALGORITHMS,
    excludeCredentials: own.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  })
  const { challenge } = options
  await storeChallenge(db, 'passkey-register', { challenge, userId: owner?.id ?? null, about: handle }, now)
  return options
}

async function findOwnCredentials(db: Db, owner: PasskeyOwner, now: number) {
  assertRecentSignIn(owner, now)
  const columns = ['credential_id', 'transports', 'user_handle'] as const
  const own = await db.selectFrom('passkeys').select(columns).where('user_id', '=', owner.id).execute()
  if (own.length >= MAX_PASSKEYS) throw new AppError(409, PASSKEY_TEXTS.tooMany)
  return own
}

/**
 * Stores a new passkey, and for a visitor the account that it opens.
 * @param device browser and system where it was made
 * @param admit quota consulted where this creates an account
 * @throws AppError 403; 409 for a passkey that is stored already, or one too many; 422; 429 from `admit`
 */
export async function finishRegistration(
  db: Db,
  rp: RelyingParty,
  owner: PasskeyOwner | null,
  response: RegistrationResponse,
  { device = null, admit = unlimitedQuota }: { device?: string | null; admit?: Quota } = {},
  now = Date.now(),
): Promise<{ passkey: Passkey; account: Account; isVerified: boolean }> {
  if (owner) assertRecentSignIn(owner, now)
  const { clientDataJSON } = response.response
  const { challenge, about } = await takeChallenge(db, 'passkey-register', clientDataJSON, owner?.id ?? null, now)
  const { credential, userVerified } = await verifyRegistration(rp, response, challenge)
  return transact(db, async (trx) => {
    const account = owner ?? (await addUser(trx, [], now, admit))
    const count = await countRows(trx.selectFrom('passkeys').where('user_id', '=', account.id))
    if (count >= MAX_PASSKEYS) throw new AppError(409, PASSKEY_TEXTS.tooMany)
    const row = {
      id: randomUUID(),
      user_id: account.id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      user_handle: about,
      rp_id: rp.id,
      transports: response.response.transports.join(' '),
      name: PASSKEY_TEXTS.defaultName(count + 1),
      device,
      created_at: now,
      used_at: null,
    }
    const member = { id: account.id, authenticatedAt: owner?.authenticatedAt ?? now }
    await recordAddedWay(trx, member, 'passkey-added', { detail: row.name, device }, now)
    const inserted = await trx
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new AppError(409, PASSKEY_TEXTS.duplicate)
    return { passkey: toPasskey(row), account, isVerified: userVerified }
  })
}

async function verifyRegistration(rp: RelyingParty, response: RegistrationResponse, challenge: string) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { registrationInfo } = await verify(() =>
    verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: SIGNATURE_ALGORITHMS,
    }),
  )
  if (!registrationInfo) throw passkeyError(PASSKEY_TEXTS.refused)
  return registrationInfo
}
