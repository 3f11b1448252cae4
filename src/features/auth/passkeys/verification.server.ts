import type { Db } from '#db/client.ts'
import type { PasskeysTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { issueSecret, useSecret } from '#features/secrets/secrets.server.ts'
import { invalid } from '#lib/errors.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { CHALLENGE_MINUTES, PASSKEY_TEXTS } from './passkeys.ts'

/** The library, loaded with the first passkey: a start does without its ninety modules. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256 (COSE): what authenticators have. The library's own list tries an experimental one of Node's. */
export const SIGNATURE_ALGORITHMS = [-8, -7, -257]

/** A stored passkey as browsers look for it (PublicKeyCredentialDescriptorJSON). */
export const toDescriptor = (row: Pick<PasskeysTable, 'credential_id' | 'transports'>) => ({
  id: row.credential_id,
  transports: row.transports.split(' ').filter(Boolean),
})

/** A refused answer of an authenticator. */
export const passkeyError = (text: string) => invalid(text, { passkey: text })

/**
 * Runs a check of the library.
 * @throws AppError 422 with a sentence for a person, where it finds the answer wrong
 */
export async function verify<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    throw passkeyError(explainRefusal(error))
  }
}

/** The library has no codes for what it refuses: its sentences name the part of the answer (verifyAuthenticationResponse.js). */
function explainRefusal(error: unknown): string {
  const { message } = error as Error
  if (/\borigin\b|RP ID/i.test(message)) return PASSKEY_TEXTS.wrongSite
  if (/user could not be verified/i.test(message)) return PASSKEY_TEXTS.unverified
  return PASSKEY_TEXTS.refused
}

export type CeremonyKind = 'passkey-register' | 'passkey-sign-in' | 'passkey-confirm'

/**
 * Stores the random text that a passkey is asked to sign.
 * @param userId the member who asks; null for a visitor
 * @param about the user handle of a registration
 */
export const storeChallenge = (
  db: Db,
  kind: CeremonyKind,
  { challenge, userId, about = '' }: { challenge: string; userId: string | null; about?: string },
  now: number,
): Promise<string> =>
  transact(db, (trx) => {
    const expiresAt = now + CHALLENGE_MINUTES * MINUTE_MS
    return issueSecret(trx, kind, { user_id: userId, about }, now, { secret: challenge, expiresAt })
  })

/**
 * Takes the challenge that a browser has signed. Of two answers to one challenge the second finds none, whether or not the first was
 * accepted.
 * @param clientDataJson WebAuthn §5.8.1
 * @param userId the member who answers; null for a visitor
 * @returns it, and the user handle of a registration
 * @throws AppError 422 for a challenge that is unknown, expired, answered before, or was for somebody or something else
 */
export const takeChallenge = (
  db: Db,
  kind: CeremonyKind,
  clientDataJson: string,
  userId: string | null,
  now: number,
): Promise<{ challenge: string; about: string }> =>
  transact(db, async (trx) => {
    const challenge = readChallenge(clientDataJson)
    const secret = await useSecret(trx, kind, challenge, now)
    if (secret?.user_id !== userId) throw passkeyError(PASSKEY_TEXTS.stale)
    return { challenge, about: secret.about }
  })

function readChallenge(clientDataJson: string): string {
  try {
    return String(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')).challenge)
  } catch {
    return ''
  }
}
