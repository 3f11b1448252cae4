import { createHash, randomBytes, randomInt, randomUUID, scrypt, timingSafeEqual } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { type Admit, admitAll } from '#lib/admit.ts'
import { AppError } from '#lib/errors.ts'
import { CODE_MISSES_PER_HOUR, CODE_TRIES, MAGIC_LINK_MINUTES } from './auth.ts'
import { type Account, ensureUser } from './users.server.ts'

const HOUR = 3_600_000
/** Dead tokens are kept a day, so that their page can say why they are dead. */
const KEPT = 24 * HOUR

const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * A slow hash salted with the address: a million codes are tried in no time against a fast one, whereas this takes
 * hours for each row of a stolen database, and a code lives for minutes. 8 MB of memory a run.
 */
const codeHash = (email: string, code: string): Promise<Buffer> =>
  new Promise((done, fail) =>
    scrypt(code, `perrario:${email}`, 32, { N: 8192, r: 8, p: 1 }, (error, key) => (error ? fail(error) : done(key))),
  )

/** A new link token and code for `email`; the database keeps only their hashes. */
export async function issueToken(db: Db, email: string, now = Date.now()): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const hash = await codeHash(email, code)
  await forgetTokens(db, now)
  await db
    .insertInto('sign_in_tokens')
    .values({
      id: randomUUID(),
      email,
      token_hash: tokenHash(token),
      code_hash: hash.toString('hex'),
      expires_at: now + MAGIC_LINK_MINUTES * 60_000,
      used_at: null,
      created_at: now,
    })
    .execute()
  return { token, code }
}

/** Takes the tokens that died a day ago. @returns how many */
export async function forgetTokens(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_tokens')
    .where('expires_at', '<', now - KEPT)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export type LinkState = { state: 'open'; email: string } | { state: 'used' | 'expired' | 'unknown' }

/** What a mailed link would do, without doing it: its page is also opened by mail scanners. */
export async function readLink(db: Db, token: string, now = Date.now()): Promise<LinkState> {
  const row = await db
    .selectFrom('sign_in_tokens')
    .select(['email', 'used_at', 'expires_at'])
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  if (!row) return { state: 'unknown' }
  if (row.used_at !== null) return { state: 'used' }
  return row.expires_at > now ? { state: 'open', email: row.email } : { state: 'expired' }
}

/**
 * Signs in with a mailed link; null when it is unknown, used or too old.
 * @param admit asked where this makes an account; a refusal spends nothing
 * @throws AppError 429
 */
export async function signInByLink(
  db: Db,
  token: string,
  now = Date.now(),
  admit: Admit = admitAll,
): Promise<Account | null> {
  const row = await db
    .selectFrom('sign_in_tokens')
    .select(['id', 'email', 'created_at'])
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  return row ? consume(db, row, now, admit) : null
}

/**
 * Signs in with a typed code; null when none of the address's living codes is it. The try is counted before the code
 * is compared, in the statement that finds the codes, so that guesses sent at once cannot share one try.
 * @param admit asked where this makes an account
 * @throws AppError 429 when too many codes of this address were mistyped, or `admit` refuses
 */
export async function signInByCode(
  db: Db,
  email: string,
  code: string,
  now = Date.now(),
  admit: Admit = admitAll,
): Promise<Account | null> {
  await refuseGuessers(db, email, now)
  const rows = await db
    .updateTable('sign_in_tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', CODE_TRIES)
    .returning(['id', 'email', 'created_at', 'code_hash'])
    .execute()
  const given = await codeHash(email, code)
  const row = rows.find((r) => timingSafeEqual(Buffer.from(r.code_hash, 'hex'), given))
  return row ? consume(db, row, now, admit) : null
}

/** Tries of tokens that never signed anybody in are misses: a real sign-in clears them. */
async function refuseGuessers(db: Db, email: string, now: number): Promise<void> {
  const { misses, oldest } = await db
    .selectFrom('sign_in_tokens')
    .select((eb) => [eb.fn.sum<number | null>('tries').as('misses'), eb.fn.min('created_at').as('oldest')])
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('tries', '>', 0)
    .where('created_at', '>', now - HOUR)
    .executeTakeFirstOrThrow()
  if ((misses ?? 0) < CODE_MISSES_PER_HOUR) return
  const retryAfter = Math.max(1, (oldest + HOUR - now) / 1000)
  throw new AppError(429, 'Demasiados códigos equivocados. Usa el enlace del mensaje o inténtalo más tarde.', {
    retryAfter,
  })
}

/** Spends the token, and with it every earlier one of the address. Of two that come at once, one gets null. */
function consume(
  db: Db,
  row: { id: string; email: string; created_at: number },
  now: number,
  admit: Admit,
): Promise<Account | null> {
  return db.transaction().execute(async (trx) => {
    const living = trx.updateTable('sign_in_tokens').set({ used_at: now }).where('used_at', 'is', null)
    const { numUpdatedRows } = await living
      .where('id', '=', row.id)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) return null
    await living.where('email', '=', row.email).where('created_at', '<=', row.created_at).execute()
    return ensureUser(trx, row.email, now, admit)
  })
}
