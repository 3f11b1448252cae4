import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { SignInTokensTable } from '#db/schema.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { MAGIC_LINK_MINUTES, MAILBOX_RATE_LIMITS } from '#features/auth/auth.ts'
import { toMailbox } from './mailbox.server.ts'
import { hashCode, hashSecret } from '#features/auth/token-hashes.server.ts'
import { type Account, ensureUser } from '#features/auth/users.server.ts'

/** Dead tokens are kept a day, so that their page can say why they are dead, and a day's mails can be counted. */
const EXPIRED_TOKEN_RETENTION_MS = 24 * 3_600_000

export type TokenPurpose = 'enter' | 'confirm'

/** What a mail is asked for, and by which known device (`knownDevice`); null for any other. */
export interface TokenRequest {
  purpose?: TokenPurpose
  device?: string | null
}

/** What goes into the mail; the database keeps only their hashes. */
export interface TokenSecrets {
  token: string
  code: string
}

/** A new link token and code for `email`, without any limit. */
export async function issueToken(
  db: Db,
  email: string,
  now = Date.now(),
  request: TokenRequest = {},
): Promise<TokenSecrets> {
  const { row, ...secrets } = await generateToken(email, request, now)
  await deleteExpiredTokens(db, now)
  await db.insertInto('sign_in_tokens').values(row).execute()
  return secrets
}

/**
 * The same, unless the mailbox was sent as many as it may get; then null. Devices that signed in to the address before have
 * an allowance each, so that nobody else can use up what its holder needs.
 */
export async function issueTokenWithinLimits(
  db: Db,
  email: string,
  request: TokenRequest,
  now = Date.now(),
): Promise<TokenSecrets | null> {
  // First: whether the mailbox has had enough takes as long to find out as anything else.
  const { row, ...secrets } = await generateToken(email, request, now)
  return db.transaction().execute(async (trx) => {
    await deleteExpiredTokens(trx, now)
    for (const [most, seconds] of MAILBOX_RATE_LIMITS) {
      const { mails } = await trx
        .selectFrom('sign_in_tokens')
        .select((eb) => eb.fn.countAll<number>().as('mails'))
        .where('mailbox', '=', row.mailbox!)
        .where('device', row.device ? '=' : 'is', row.device ?? null)
        .where('created_at', '>', now - seconds * 1000)
        .executeTakeFirstOrThrow()
      if (mails >= most) return null
    }
    await trx.insertInto('sign_in_tokens').values(row).execute()
    return secrets
  })
}

async function generateToken(email: string, { purpose = 'enter', device = null }: TokenRequest, now: number) {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const row: Insertable<SignInTokensTable> = {
    id: randomUUID(),
    email,
    mailbox: toMailbox(email),
    device,
    purpose,
    token_hash: hashSecret(token),
    code_hash: (await hashCode(email, code)).toString('hex'),
    expires_at: now + MAGIC_LINK_MINUTES * 60_000,
    used_at: null,
    created_at: now,
  }
  return { token, code, row }
}

/** Takes the tokens that died a day ago. @returns how many */
export async function deleteExpiredTokens(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_tokens')
    .where('expires_at', '<', now - EXPIRED_TOKEN_RETENTION_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export type LinkState = { state: 'open'; email: string } | { state: 'used' | 'expired' | 'unknown' }

/** What a mailed link would do, without doing it: its page is also opened by mail scanners. */
export async function inspectLink(db: Db, token: string, now = Date.now()): Promise<LinkState> {
  const row = await findLinkToken(db, token)
  if (!row) return { state: 'unknown' }
  if (row.used_at !== null) return { state: 'used' }
  return row.expires_at > now ? { state: 'open', email: row.email } : { state: 'expired' }
}

/** Only what signs in has a link. */
const findLinkToken = (db: Db, token: string) =>
  db
    .selectFrom('sign_in_tokens')
    .select(['id', 'email', 'purpose', 'created_at', 'used_at', 'expires_at'])
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', 'enter')
    .executeTakeFirst()

/**
 * Signs in with a mailed link; null when it is unknown, used or too old.
 * @param admit asked where this makes an account; a refusal spends nothing
 * @throws AppError 429
 */
export async function signInByLink(
  db: Db,
  token: string,
  now = Date.now(),
  admit: Quota = unlimitedQuota,
): Promise<Account | null> {
  const row = await findLinkToken(db, token)
  return row ? signInWithToken(db, row, now, admit) : null
}

export interface TokenRow {
  id: string
  email: string
  purpose: TokenPurpose
  created_at: number
}

/** Spends the token and signs in. Of two that come at once, one gets null. */
export const signInWithToken = (db: Db, row: TokenRow, now: number, admit: Quota): Promise<Account | null> =>
  db
    .transaction()
    .execute(async (trx) => ((await consumeToken(trx, row, now)) ? ensureUser(trx, row.email, now, admit) : null))

/** Spends the token, and with it every earlier one of the address and purpose; false where it is spent or too old. */
export async function consumeToken(trx: Db, row: TokenRow, now: number): Promise<boolean> {
  const living = trx.updateTable('sign_in_tokens').set({ used_at: now }).where('used_at', 'is', null)
  const { numUpdatedRows } = await living
    .where('id', '=', row.id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  const earlier = living.where('email', '=', row.email).where('created_at', '<=', row.created_at)
  await earlier.where('purpose', '=', row.purpose).execute()
  return true
}
