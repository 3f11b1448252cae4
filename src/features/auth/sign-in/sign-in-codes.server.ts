import { timingSafeEqual } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { AppError } from '#lib/errors.ts'
import { MAX_CODE_MISSES_PER_HOUR, MAX_CODE_TRIES } from '#features/auth/auth.ts'
import { toMailbox } from './mailbox.server.ts'
import { hashCode } from '#features/auth/token-hashes.server.ts'
import { signInWithToken, type TokenPurpose, consumeToken, type TokenRow } from './sign-in-tokens.server.ts'
import type { Account } from '#features/auth/users.server.ts'

const HOUR_MS = 3_600_000

/**
 * Signs in with a typed code; null when none of the address's living codes is it.
 * @param device which known device asks (`knownDevice`); null for any other
 * @param admit asked where this makes an account
 * @throws AppError 429 when too many codes of this mailbox were mistyped, or `admit` refuses
 */
export async function signInByCode(
  db: Db,
  email: string,
  code: string,
  now = Date.now(),
  admit: Quota = unlimitedQuota,
  device: string | null = null,
): Promise<Account | null> {
  const row = await findTokenByCode(db, { email, code, purpose: 'enter', device }, now)
  return row ? signInWithToken(db, row, now, admit) : null
}

/** Whether the code is one that was mailed to confirm who sits there; it is spent then. @throws AppError 429 */
export async function verifyConfirmationCode(
  db: Db,
  given: { email: string; code: string; device: string },
  now = Date.now(),
): Promise<boolean> {
  const row = await findTokenByCode(db, { ...given, purpose: 'confirm' }, now)
  return row !== undefined && db.transaction().execute((trx) => consumeToken(trx, row, now))
}

interface CodeAttempt {
  email: string
  code: string
  purpose: TokenPurpose
  device: string | null
}

/**
 * The living token whose code it is. The try is counted before the code is compared, in the statement that finds the codes,
 * so that guesses sent at once cannot share one try. Devices that signed in to the address before have tries of their own:
 * whoever guesses at somebody's mailbox spends a stranger's.
 */
async function findTokenByCode(
  db: Db,
  { email, code, purpose, device }: CodeAttempt,
  now: number,
): Promise<TokenRow | undefined> {
  const tries = device === null ? 'tries' : 'device_tries'
  await assertNotGuessing(db, toMailbox(email), tries, now)
  const rows = await db
    .updateTable('sign_in_tokens')
    .set((eb) => ({ [tries]: eb(tries, '+', 1) }))
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(tries, '<', MAX_CODE_TRIES)
    .returning(['id', 'email', 'purpose', 'created_at', 'code_hash'])
    .execute()
  const given = await hashCode(email, code)
  return rows.find((row) => timingSafeEqual(Buffer.from(row.code_hash, 'hex'), given))
}

/** Tries of tokens that never signed anybody in are misses: a real sign-in clears them. */
async function assertNotGuessing(db: Db, mailbox: string, tries: 'tries' | 'device_tries', now: number): Promise<void> {
  const { misses, oldest } = await db
    .selectFrom('sign_in_tokens')
    .select((eb) => [eb.fn.sum<number | null>(tries).as('misses'), eb.fn.min('created_at').as('oldest')])
    .where('mailbox', '=', mailbox)
    .where('used_at', 'is', null)
    .where(tries, '>', 0)
    .where('created_at', '>', now - HOUR_MS)
    .executeTakeFirstOrThrow()
  if ((misses ?? 0) < MAX_CODE_MISSES_PER_HOUR) return
  const retryAfter = Math.max(1, (oldest + HOUR_MS - now) / 1000)
  throw new AppError(429, 'Demasiados códigos equivocados. Usa el enlace del mensaje o inténtalo más tarde.', {
    retryAfter,
  })
}
