import { invalid } from '#lib/errors.ts'
import { PASSKEY_TEXTS } from './passkeys.ts'

/** The library, loaded with the first passkey: a start does without its ninety modules. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256 (COSE): what authenticators have. The library's own list tries an experimental one of Node's. */
export const SIGNATURE_ALGORITHMS = [-8, -7, -257]

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
