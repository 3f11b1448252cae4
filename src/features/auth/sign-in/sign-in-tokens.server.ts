import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { SignInTokensTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { lockKeys } from '#db/dialect/locks.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { MAGIC_LINK_MINUTES, MAILBOX_RATE_LIMITS } from '#features/auth/auth.ts'
import { toMailbox } from './mailbox.server.ts'
import { hashCode, hashSecret } from '#features/auth/token-hashes.server.ts'
import { type Account, ensureUser } from '#features/auth/users.server.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'

/** Expired tokens are retained for a day, so that the link's page can explain them and a day's mails can be counted. */
const EXPIRED_TOKEN_RETENTION_MS = DAY_MS

export type TokenPurpose = 'enter' | 'confirm' | 'address'

/** What a mail is for, and the id of the known device (`identifyDevice`) that requests it; null for an unknown one. */
export interface TokenRequest {
  purpose?: TokenPurpose
  device?: string | null
}

/** Secrets for the mail; the database stores only their hashes. */
export interface TokenSecrets {
  token: string
  code: string
}

/** Issues a link token and code for `email`, without rate limits. */
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
 * Issues a link token and code within MAILBOX_RATE_LIMITS; null beyond them. Each known device has a limit of its own, so that
 * nobody else can exhaust it.
 */
export async function issueTokenWithinLimits(
  db: Db,
  email: string,
  request: TokenRequest,
  now = Date.now(),
): Promise<TokenSecrets | null> {
  // The same work beyond the limits as within them: response times must not reveal a limited mailbox.
  const { row, ...secrets } = await generateToken(email, request, now)
  return transact(db, async (trx) => {
    // A mailbox's mails are counted one after another.
    await lockKeys(trx, 'mailbox', [row.mailbox])
    await deleteExpiredTokens(trx, now)
    await trx.insertInto('sign_in_tokens').values(row).execute()
    const { numDeletedRows } = await trx
      .deleteFrom('sign_in_tokens')
      .where('id', '=', row.id)
      .where((eb) =>
        eb.or(
          MAILBOX_RATE_LIMITS.map(([maxMails, seconds]) => {
            const mails = eb
              .selectFrom('sign_in_tokens as t')
              .select((t) => t.fn.countAll<number>().as('mails'))
              .where('t.mailbox', '=', row.mailbox)
              .where('t.device', row.device ? '=' : 'is', row.device ?? null)
              .where('t.created_at', '>', now - seconds * 1000)
            return eb(mails, '>', maxMails)
          }),
        ),
      )
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n ? null : secrets
  })
}

async function generateToken(email: string, { purpose = 'enter', device = null }: TokenRequest, now: number) {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const row = {
    id: randomUUID(),
    email,
    mailbox: toMailbox(email),
    device,
    purpose,
    token_hash: hashSecret(token),
    code_hash: (await hashCode(email, code)).toString('hex'),
    expires_at: now + MAGIC_LINK_MINUTES * MINUTE_MS,
    used_at: null,
    created_at: now,
  } satisfies Insertable<SignInTokensTable>
  return { token, code, row }
}

/** Deletes tokens a day after they expired. @returns rows deleted */
export async function deleteExpiredTokens(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_tokens')
    .where('expires_at', '<', now - EXPIRED_TOKEN_RETENTION_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export type LinkState = { state: 'open'; email: string } | { state: 'used' | 'expired' | 'unknown' }

/** The state of a mailed link, without using it: mail scanners open its page too. */
export async function inspectLink(db: Db, token: string, now = Date.now()): Promise<LinkState> {
  const row = await findLinkToken(db, token)
  if (!row) return { state: 'unknown' }
  if (row.used_at !== null) return { state: 'used' }
  return row.expires_at > now ? { state: 'open', email: row.email } : { state: 'expired' }
}

/** Only tokens that sign in have a link. */
const findLinkToken = (db: Db, token: string) =>
  db
    .selectFrom('sign_in_tokens')
    .select(['id', 'email', 'purpose', 'created_at', 'used_at', 'expires_at'])
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', 'enter')
    .executeTakeFirst()

/**
 * Signs in with a mailed link; null when it is unknown, used or expired.
 * @param admit quota consulted where this creates an account; a refusal does not consume the token
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

/** Consumes the token and signs in. Of two parallel requests one gets null. */
export const signInWithToken = (db: Db, row: TokenRow, now: number, admit: Quota): Promise<Account | null> =>
  transact(db, async (trx) => ((await consumeToken(trx, row, now)) ? ensureUser(trx, row.email, now, admit) : null))

/** Consumes the token and every earlier one of its address and purpose; false where it is used or expired. */
export async function consumeToken(trx: Db, row: TokenRow, now: number): Promise<boolean> {
  const unused = trx.updateTable('sign_in_tokens').set({ used_at: now }).where('used_at', 'is', null)
  const { numUpdatedRows } = await unused
    .where('id', '=', row.id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  const earlier = unused.where('email', '=', row.email).where('created_at', '<=', row.created_at)
  await earlier.where('purpose', '=', row.purpose).execute()
  return true
}
