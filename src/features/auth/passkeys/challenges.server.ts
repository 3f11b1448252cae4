import type { Db } from '#db/client.ts'
import type { PasskeyChallengesTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { invalid } from '#lib/errors.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { CHALLENGE_MINUTES, PASSKEY_TEXTS } from './passkeys.ts'

type Challenge = Omit<PasskeyChallengesTable, 'expires_at'>

/** Stores a challenge, and deletes those that nobody answered in time. */
export async function storeChallenge(db: Db, challenge: Challenge, now: number): Promise<void> {
  await deleteExpiredChallenges(db, now)
  await transact(db, (trx) =>
    trx
      .insertInto('passkey_challenges')
      .values({ ...challenge, expires_at: now + CHALLENGE_MINUTES * MINUTE_MS })
      .execute(),
  )
}

/** @returns rows deleted */
export async function deleteExpiredChallenges(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await transact(db, (trx) =>
    trx.deleteFrom('passkey_challenges').where('expires_at', '<=', now).executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows)
}

/**
 * Takes the challenge that a browser has signed. Of two answers to one challenge the second finds none, whether or not the first was
 * accepted.
 * @param userId the member who answers; null for a visitor
 * @throws AppError 422 for a challenge that is unknown, expired, answered before, or was for somebody or something else
 */
export async function takeChallenge(
  db: Db,
  clientDataJson: string,
  { purpose, userId }: { purpose: Challenge['purpose']; userId: string | null },
  now: number,
): Promise<Challenge> {
  const challenge = readChallenge(clientDataJson)
  const row =
    challenge === null
      ? undefined
      : await transact(db, (trx) =>
          trx
            .deleteFrom('passkey_challenges')
            .where('challenge', '=', challenge)
            .where('purpose', '=', purpose)
            .where('user_id', userId === null ? 'is' : '=', userId)
            .where('expires_at', '>', now)
            .returningAll()
            .executeTakeFirst(),
        )
  if (!row) throw invalid(PASSKEY_TEXTS.stale, { passkey: PASSKEY_TEXTS.stale })
  return row
}

/** The challenge in a browser's client data (WebAuthn §5.8.1); null where there is none. */
function readChallenge(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
