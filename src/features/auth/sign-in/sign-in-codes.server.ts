import { timingSafeEqual } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { AppError } from '#lib/errors.ts'
import { MAX_CODE_MISSES_PER_HOUR, MAX_CODE_TRIES } from '#features/auth/auth.ts'
import { toMailbox } from './mailbox.server.ts'
import { hashCode } from './sign-in-secrets.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { consumeToken, signInWithToken, type TokenPurpose, type TokenRow } from './sign-in-tokens.server.ts'
import type { Account } from '#features/auth/users.server.ts'

/**
 * Signs in with a typed code; null when no valid token of the address has it.
 * @param admit quota consulted where this creates an account
 * @param device id of the known device (`identifyDevice`); null for an unknown one
 * @throws AppError 429 after too many wrong codes of this mailbox, or from `admit`
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

/** Whether the code is one that was mailed for that purpose; consumes it. @throws AppError 429 */
export async function verifyCode(db: Db, attempt: CodeAttempt, now = Date.now()): Promise<boolean> {
  const row = await findTokenByCode(db, attempt, now)
  return row !== undefined && transact(db, (trx) => consumeToken(trx, row, now))
}

interface CodeAttempt {
  email: string
  code: string
  purpose: TokenPurpose
  /** Null for one that has not signed in to the address, as none has to a new address of a member: limits are stricter. */
  device: string | null
}

/**
 * The valid token with this code. The try is counted before the code is compared, in the statement that reads the tokens, so
 * that parallel guesses cannot share one try. Known devices have tries of their own, which guesses from unknown devices do
 * not use up.
 */
async function findTokenByCode(
  db: Db,
  { email, code, purpose, device }: CodeAttempt,
  now: number,
): Promise<TokenRow | undefined> {
  const triesColumn = device === null ? 'tries' : 'device_tries'
  await assertNotGuessing(db, toMailbox(email), triesColumn, now)
  const rows = await transact(db, (trx) =>
    trx
      .updateTable('sign_in_tokens')
      .set((eb) => ({ [triesColumn]: eb(triesColumn, '+', 1) }))
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .where(triesColumn, '<', MAX_CODE_TRIES)
      .returning(['id', 'email', 'purpose', 'created_at', 'code_hash'])
      .execute(),
  )
  const typedHash = await hashCode(email, code)
  return rows.find((row) => timingSafeEqual(Buffer.from(row.code_hash, 'hex'), typedHash))
}

/** Tries of unused tokens are misses; a sign-in, which uses the tokens, clears them. @throws AppError 429 */
async function assertNotGuessing(
  db: Db,
  mailbox: string,
  triesColumn: 'tries' | 'device_tries',
  now: number,
): Promise<void> {
  const { misses, oldest } = await db
    .selectFrom('sign_in_tokens')
    .select((eb) => [eb.fn.sum<number | null>(triesColumn).as('misses'), eb.fn.min('created_at').as('oldest')])
    .where('mailbox', '=', mailbox)
    .where('used_at', 'is', null)
    .where(triesColumn, '>', 0)
    .where('created_at', '>', now - HOUR_MS)
    .executeTakeFirstOrThrow()
  if ((misses ?? 0) < MAX_CODE_MISSES_PER_HOUR) return
  const retryAfter = Math.max(1, (oldest + HOUR_MS - now) / 1000)
  throw new AppError(429, 'Demasiados códigos equivocados. Usa el enlace del mensaje o inténtalo más tarde.', {
    retryAfter,
  })
}
