import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { SignInTokensTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { formatDateTime, formatTime } from '#lib/dates.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { MAGIC_LINK_MINUTES, MAILBOX_RATE_LIMITS, MAX_CODE_TRIES, MIN_RESEND_MINUTES } from '#features/auth/auth.ts'
import { toMailbox } from './mailbox.server.ts'
import { MAIL_LIMIT_TEXTS } from './sign-in.ts'
import { deriveSecrets, hashCode } from './sign-in-secrets.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { type Account, ensureUser } from '#features/auth/users.server.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'

/** Expired tokens are retained for a day, so that the link's page can explain them and a day's mails can be counted. */
const EXPIRED_TOKEN_RETENTION_MS = DAY_MS

export type TokenPurpose = 'enter' | 'confirm' | 'address'

/** Living tokens of one address that are looked at: there is one, and one more of each node with another key. */
const MAX_LIVING_TOKENS = 8

/** What a mail is for, and the id of the known device (`identifyDevice`) that requests it; null for an unknown one. */
export interface TokenRequest {
  purpose?: TokenPurpose
  device?: string | null
  /** Who has it made other than by asking for a mail. */
  issuer?: 'operator' | null
}

/** Secrets for the mail; the database stores only their hashes. */
export interface TokenSecrets {
  token: string
  code: string
  /** When both end, ms. */
  expiresAt: number
}

/** Issues a link token and code for `email`, without rate limits. */
export async function issueToken(
  trx: Trx,
  email: string,
  now = Date.now(),
  request: TokenRequest = {},
): Promise<TokenSecrets> {
  const { row, ...secrets } = await generateToken(email, request, now)
  await deleteExpiredTokens(trx, now)
  await trx.insertInto('sign_in_tokens').values(row).execute()
  return secrets
}

/**
 * The link token and code to mail within MAILBOX_RATE_LIMITS; null beyond them. While those that the requester was sent before are good,
 * the same go out again, with the end and the tries they have; two requests at once get one code. Each known device has a limit and codes
 * of its own, so that nobody else can exhaust them.
 */
export async function issueTokenWithinLimits(
  db: Db,
  email: string,
  request: TokenRequest,
  now = Date.now(),
): Promise<TokenSecrets | null> {
  // The same work whether the mailbox is limited, has a living code or neither: response times must not reveal it.
  const { row, ...secrets } = await generateToken(email, request, now)
  return transact(db, async (trx) => {
    await deleteExpiredTokens(trx, now)
    const living = await findLivingToken(trx, row, now)
    const isWithinLimits = (await findNextMailAt(trx, row, now)) <= now
    await trx.insertInto('sign_in_tokens').values(row).execute()
    const sentId = isWithinLimits ? (living?.id ?? row.id) : null
    await trx
      .updateTable('sign_in_tokens')
      .set((eb) => ({ mails: eb('mails', '+', 1), mailed_at: now }))
      .where('id', '=', sentId ?? '')
      .execute()
    await trx
      .deleteFrom('sign_in_tokens')
      .where('id', '=', sentId === row.id ? '' : row.id)
      .execute()
    return sentId === null ? null : (living?.secrets ?? secrets)
  })
}

/** The unused tokens of a requester for a purpose. */
const unusedTokens = (db: Db, { email, purpose, device, issuer }: Requested) =>
  db
    .selectFrom('sign_in_tokens')
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('device', device === null ? 'is' : '=', device)
    .where('issuer', issuer === null ? 'is' : '=', issuer)
    .where('used_at', 'is', null)

/**
 * The secrets of the newest token that the requester was sent for this purpose and that is unused, not worn out by wrong tries and good for
 * MIN_RESEND_MINUTES yet. Those that this node's key does not give are not found: of the operator's command, of a node with another key.
 */
async function findLivingToken(
  trx: Trx,
  row: NewToken,
  now: number,
): Promise<{ id: string; secrets: TokenSecrets } | null> {
  const rows = await unusedTokens(trx, row)
    .select(['id', 'token_hash', 'expires_at'])
    .where('expires_at', '>=', now + MIN_RESEND_MINUTES * MINUTE_MS)
    .where(row.device === null ? 'tries' : 'device_tries', '<', MAX_CODE_TRIES)
    .orderBy('created_at', 'desc')
    .limit(MAX_LIVING_TOKENS)
    .execute()
  for (const { id, token_hash, expires_at } of rows) {
    const secrets = deriveSecrets(id, row.email)
    if (hashSecret(secrets.token) === token_hash) return { id, secrets: { ...secrets, expiresAt: expires_at } }
  }
  return null
}

/** When the mailbox may be sent its next mail, ms. A row's mails all count until the last of them is out of the period. */
async function findNextMailAt(db: Db, { mailbox, device }: Pick<NewToken, 'mailbox' | 'device'>, now: number) {
  const longest = Math.max(...MAILBOX_RATE_LIMITS.map(([, seconds]) => seconds * 1000))
  const rows = await db
    .selectFrom('sign_in_tokens')
    .select((eb) => ['mails', eb.fn.coalesce('mailed_at', 'created_at').as('mailed_at')])
    .where('mailbox', '=', mailbox)
    .where('device', device === null ? 'is' : '=', device)
    .where('created_at', '>', now - longest - MAGIC_LINK_MINUTES * MINUTE_MS)
    .execute()
  const newestFirst = rows.toSorted((a, b) => b.mailed_at - a.mailed_at)
  const ends = MAILBOX_RATE_LIMITS.map(([maxMails, seconds]) => {
    let sum = 0
    const last = newestFirst.find(({ mails }) => (sum += mails) >= maxMails)
    return last ? last.mailed_at + seconds * 1000 : 0
  })
  return Math.max(...ends)
}

/**
 * What to say of a sign-in mail that is not sent (`issueTokenWithinLimits`), alike of known and unknown addresses: until when the last one
 * is good, null where it is not, and when the next can be sent; both in ms.
 */
export async function findMailLimit(db: Db, email: string, device: string | null, now = Date.now()) {
  const { until } = await unusedTokens(db, { email, purpose: 'enter', device, issuer: null })
    .select((eb) => eb.fn.max<number | null>('expires_at').as('until'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { until, nextAt: await findNextMailAt(db, { mailbox: toMailbox(email), device }, now) }
}

/** What is said of it, of known and unknown addresses alike. */
export async function describeMailLimit(db: Db, email: string, device: string | null): Promise<string> {
  const { until, nextAt } = await findMailLimit(db, email, device)
  return until === null
    ? MAIL_LIMIT_TEXTS.nextMail(formatDateTime(nextAt))
    : MAIL_LIMIT_TEXTS.lastIsGood(formatTime(until))
}

type Requested = Pick<NewToken, 'email' | 'purpose' | 'device' | 'issuer'>
type NewToken = Awaited<ReturnType<typeof generateToken>>['row']

async function generateToken(
  email: string,
  { purpose = 'enter', device = null, issuer = null }: TokenRequest,
  now: number,
) {
  const id = randomUUID()
  const { token, code } = deriveSecrets(id, email)
  const expiresAt = now + MAGIC_LINK_MINUTES * MINUTE_MS
  const row = {
    id,
    email,
    mailbox: toMailbox(email),
    device,
    purpose,
    issuer,
    token_hash: hashSecret(token),
    code_hash: (await hashCode(email, code)).toString('hex'),
    mails: 0,
    expires_at: expiresAt,
    used_at: null,
    created_at: now,
  } satisfies Insertable<SignInTokensTable>
  return { token, code, expiresAt, row }
}

/** Deletes tokens a day after they expired. @returns rows deleted */
export async function deleteExpiredTokens(trx: Trx, now: number): Promise<number> {
  const { numDeletedRows } = await trx
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

/** Who had a link made other than by asking for a mail. */
export async function findIssuer(db: Db, token: string): Promise<'operator' | null> {
  const row = await db
    .selectFrom('sign_in_tokens')
    .select('issuer')
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst()
  return row?.issuer ?? null
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
export async function consumeToken(trx: Trx, row: TokenRow, now: number): Promise<boolean> {
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
