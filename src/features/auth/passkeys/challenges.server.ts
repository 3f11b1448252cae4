import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { issueSecret, useSecret } from '#features/secrets/secrets.server.ts'
import { invalid } from '#lib/errors.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { CHALLENGE_MINUTES, PASSKEY_TEXTS } from './passkeys.ts'

/** A random text that passkeys are asked to sign. */
interface Challenge {
  challenge: string
  purpose: 'register' | 'sign-in' | 'confirm'
  /** The member who asked; null for a visitor. */
  userId: string | null
  /** Of a registration. */
  userHandle?: string
}

export const storeChallenge = (
  db: Db,
  { challenge, purpose, userId, userHandle = '' }: Challenge,
  now: number,
): Promise<string> =>
  transact(db, (trx) =>
    issueSecret(trx, `passkey-${purpose}`, { user_id: userId, about: userHandle }, now, {
      secret: challenge,
      expiresAt: now + CHALLENGE_MINUTES * MINUTE_MS,
    }),
  )

/**
 * Takes the challenge that a browser has signed. Of two answers to one challenge the second finds none, whether or not the first was
 * accepted.
 * @param userId the member who answers; null for a visitor
 * @throws AppError 422 for a challenge that is unknown, expired, answered before, or was for somebody or something else
 */
export const takeChallenge = (
  db: Db,
  clientDataJson: string,
  { purpose, userId }: Pick<Challenge, 'purpose' | 'userId'>,
  now: number,
): Promise<Required<Challenge>> =>
  transact(db, async (trx) => {
    const challenge = readChallenge(clientDataJson) ?? ''
    const secret = await useSecret(trx, `passkey-${purpose}`, challenge, now)
    if (secret?.user_id !== userId) throw invalid(PASSKEY_TEXTS.stale, { passkey: PASSKEY_TEXTS.stale })
    return { challenge, purpose, userId, userHandle: secret.about }
  })

/** The challenge in a browser's client data (WebAuthn §5.8.1); null where there is none. */
function readChallenge(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
