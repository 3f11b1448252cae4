import { hash, randomBytes, randomUUID } from 'node:crypto'
import { type Adapter, Lucia, TimeSpan } from 'lucia'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { AccountDeletionsTable, SessionsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { DEV_SESSION_SECONDS, MAX_SESSION_DAYS, SESSION_IDLE_DAYS, sessionCookieName } from '#features/auth/auth.ts'
import type { SignInMethod } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { DAY_MS, DAY_SECONDS } from '#lib/time.ts'

// lucia 3 is retired upstream: only this file knows it, so that it can be replaced here.

type SessionAttributes = Omit<Selectable<SessionsTable>, 'id' | 'user_id' | 'expires_at'>
interface AccountAttributes {
  email: string | null
  /** Null until the first load creates it. */
  profile: { alias: string; emoji: string; verified: boolean } | null
}
type PerrarioLucia = Lucia<SessionAttributes, AccountAttributes>
declare module 'lucia' {
  interface Register {
    Lucia: PerrarioLucia
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: AccountAttributes
  }
}

const MAX_SESSION_MS = MAX_SESSION_DAYS * DAY_MS

/** How a member authenticated: by a passkey, or any other way. */
export type ProvedBy = SessionAttributes['proved_by']

/** How long a session lasts without a visit. */
export type SessionLength = 'usual' | 'dev'
const IDLE_SECONDS: Record<SessionLength, number> = { usual: SESSION_IDLE_DAYS * DAY_SECONDS, dev: DEV_SESSION_SECONDS }

/** By the primary keys of four tables. An account that waits for its deletion has no sessions but for that (`findLeavingAccount`). */
const selectSession = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('profiles', 'profiles.id', 'sessions.user_id')
    .where(visibleTo(null, 'presence').of('sessions.user_id'))
    .selectAll('sessions')
    .select(['users.email', 'profiles.alias', 'profiles.emoji', 'profiles.verified'])
    .where('sessions.id', '=', id),
)

/** A session and its account as they are stored, in one statement, since each request of a member pays for it. */
async function findStored(db: Db, sessionId: string) {
  const [row] = await selectSession(db, { id: sessionId })
  if (!row) return null
  const { id, user_id: userId, expires_at, email, alias, emoji, verified, ...attributes } = row
  const profile = alias === null ? null : { alias, emoji: emoji!, verified: verified === 1 }
  const session = { id, userId, expiresAt: new Date(expires_at * 1000), attributes }
  return { session, user: { id: userId, attributes: { email, profile } } }
}

/** lucia counts in milliseconds, the table in whole seconds. */
const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** lucia on Kysely, so that its rows never join another caller's transaction: it writes in the one it is opened with, or in one of its own. */
function openLucia(db: Db, length: SessionLength): PerrarioLucia {
  const write = async (action: (trx: Trx) => { execute: () => Promise<unknown> }) => {
    if (db.isTransaction) await action(db as Trx).execute()
    else await transact(db, (trx) => action(trx).execute())
  }
  // lucia calls no others here.
  const adapter: Partial<Adapter> = {
    async getSessionAndUser(id) {
      const found = await findStored(db, id)
      return found ? [found.session, found.user] : [null, null]
    },
    setSession: ({ id, userId, expiresAt, attributes }) =>
      write((trx) =>
        trx.insertInto('sessions').values({ id, user_id: userId, expires_at: toSeconds(expiresAt), ...attributes }),
      ),
    updateSessionExpiration: (id, expiresAt) =>
      write((trx) =>
        trx
          .updateTable('sessions')
          .set({ expires_at: toSeconds(expiresAt) })
          .where('id', '=', id),
      ),
    deleteSession: (id) => write((trx) => trx.deleteFrom('sessions').where('id', '=', id)),
    deleteExpiredSessions: () =>
      write((trx) => trx.deleteFrom('sessions').where('expires_at', '<=', toSeconds(new Date()))),
  }
  return new Lucia(adapter as Adapter, {
    sessionExpiresIn: new TimeSpan(IDLE_SECONDS[length], 's'),
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  })
}

/** What stands before the secret in the token of a session that is shorter than usual. */
const DEV_TOKEN_PREFIX = `${DEV_SESSION_SECONDS}.`

/** How long the session of `token` lasts; null where no session has such a token, so that nothing is looked up for it. */
function parseSessionLength(token: string): SessionLength | null {
  const isDev = token.startsWith(DEV_TOKEN_PREFIX)
  const secret = isDev ? token.slice(DEV_TOKEN_PREFIX.length) : token
  if (!/^[\w-]{32}$/.test(secret)) return null
  return isDev ? 'dev' : 'usual'
}

/** The id of the session that `token` opens, whether or not there is one. */
export const toSessionId = (token: string): string => hash('sha256', token, 'hex')

/**
 * Opens a session and returns the token for the cookie, of which the database keeps only the hash, and the session's public id.
 * @param device the browser and device as the member will read it in their list of sessions
 * @param authenticatedAt time of the member's authentication, ms; 0 for a sign-in that does not count as one (recent-auth.ts)
 * @param provedBy how they authenticated
 */
export async function createSession(
  trx: Trx,
  userId: string,
  length: SessionLength = 'usual',
  device: string | null = null,
  authenticatedAt = Date.now(),
  provedBy: ProvedBy = null,
): Promise<{ token: string; expiresAt: number; publicId: string }> {
  const secret = randomBytes(24).toString('base64url')
  const token = length === 'dev' ? DEV_TOKEN_PREFIX + secret : secret
  const publicId = randomUUID()
  const proof = { proved_at: authenticatedAt, proved_by: provedBy }
  const attributes = { created_at: Date.now(), ...proof, device, public_id: publicId }
  const lucia = openLucia(trx, length)
  // Nothing else sweeps: sessions that ended by themselves go when somebody signs in.
  await lucia.deleteExpiredSessions()
  const session = await lucia.createSession(userId, attributes, { sessionId: toSessionId(token) })
  // The table holds seconds: say what later look-ups will say.
  return { token, expiresAt: toSeconds(session.expiresAt) * 1000, publicId }
}

/** An open session and its account. Times in milliseconds. */
export interface ActiveSession extends AccountAttributes {
  userId: string
  expiresAt: number
  /** lucia has just renewed it (past half its life): the cookie must then be sent again with the new end. */
  fresh: boolean
  /** When its member last proved who they are, and how. */
  authenticatedAt: number
  provedBy: ProvedBy
}

/**
 * Whose session `token` opens, or null, in one statement, and a transaction where the session is renewed or has expired. However often
 * it is used, it ends after MAX_SESSION_DAYS.
 */
export async function readSession(db: Db, token: string): Promise<ActiveSession | null> {
  const length = parseSessionLength(token)
  if (length === null) return null
  const sessionId = toSessionId(token)
  const found = await openLucia(db, length)
    .validateSession(sessionId)
    .catch((error: unknown) => {
      if (findStorageFailure(error)) return null
      throw error
    })
  if (!found) return findOpen(db, sessionId)
  return found.session && toActiveSession(found.session, found.user)
}

type SessionRow = Pick<ActiveSession, 'userId' | 'fresh'> & Omit<SessionAttributes, 'device' | 'public_id'>

/**
 * @returns null for a session that began MAX_SESSION_DAYS ago: the row's own end says how long it lasts without a visit, the absolute
 * one is seen to here and by the sweep
 */
function toActiveSession(
  { userId, expiresAt, fresh, ...row }: SessionRow & { expiresAt: Date },
  { email, profile }: AccountAttributes,
): ActiveSession | null {
  const end = row.created_at + MAX_SESSION_MS
  if (end <= Date.now()) return null
  const proof = { authenticatedAt: row.proved_at, provedBy: row.proved_by }
  return { userId, email, profile, expiresAt: Math.min(expiresAt.getTime(), end), fresh, ...proof }
}

/** The session as it stands, also where the disk takes no renewing and no sweeping: pages are still read. */
async function findOpen(db: Db, sessionId: string): Promise<ActiveSession | null> {
  const found = await findStored(db, sessionId)
  if (!found || found.session.expiresAt.getTime() <= Date.now()) return null
  return toActiveSession({ ...found.session, ...found.session.attributes, fresh: false }, found.user.attributes)
}

/**
 * Id of the member whose session a Cookie header carries, for requests answered before Astro; null for none. It renews nothing, since
 * such an answer sends no cookie.
 */
export async function findUserIdByCookie(db: Db, cookies: string | undefined, secure: boolean): Promise<string | null> {
  const name = `${sessionCookieName(secure)}=`
  const pair = cookies?.split(/;\s*/).find((part) => part.startsWith(name))
  const token = pair?.slice(name.length) ?? ''
  return parseSessionLength(token) && ((await findOpen(db, toSessionId(token)))?.userId ?? null)
}

/**
 * Whose session `token` opens, in one statement, which changes nothing.
 * @returns `ended` where it opens none; null for what only the middleware answers: a session that is to be renewed, which `readSession` does, a
 *   member without profile, and an account that waits for its deletion
 */
export async function findSessionHolder(
  db: Db,
  token: string,
  now = Date.now(),
): Promise<{ userId: string } | 'ended' | null> {
  const length = parseSessionLength(token)
  if (length === null) return 'ended'
  const id = toSessionId(token)
  const found = await findStored(db, id)
  if (!found) return (await findLeavingAccount(db, id)) ? null : 'ended'
  const { session, user } = found
  if (!user.attributes.profile) return null
  const renewal = session.expiresAt.getTime() - (IDLE_SECONDS[length] * 1000) / 2
  const validUntil = Math.min(renewal, session.attributes.created_at + MAX_SESSION_MS)
  return validUntil > now ? { userId: session.userId } : null
}

const selectOpen = (db: Db, id: string, now: number) =>
  db
    .selectFrom('sessions as s')
    .where('s.id', '=', id)
    .where('s.expires_at', '>', Math.floor(now / 1000))
    .where('s.created_at', '>', now - MAX_SESSION_MS)

/** Whether the session `id` (`toSessionId`) is open now. */
export const isSessionOpen = async (db: Db, id: string, now = Date.now()): Promise<boolean> =>
  (await selectOpen(db, id, now).select('s.id').executeTakeFirst()) !== undefined

/** Who signed in to an account that waits for its deletion: they may undo or end that, and nothing else. Times in milliseconds. */
export interface LeavingAccount extends Pick<AccountDeletionsTable, 'dogs' | 'state'> {
  id: string
  email: string | null
  requestedAt: number
  dueAt: number
  authenticatedAt: number
}

/** The account that waits for its deletion behind an open session (`toSessionId`); null for none. By primary keys. */
export const findLeavingAccount = async (db: Db, sessionId: string, now = Date.now()): Promise<LeavingAccount | null> =>
  (await selectOpen(db, sessionId, now)
    .innerJoin('account_deletions as d', 'd.user_id', 's.user_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.email', 'd.dogs', 'd.state', 'd.requested_at as requestedAt', 'd.due_at as dueAt'])
    .select('s.proved_at as authenticatedAt')
    .executeTakeFirst()) ?? null

/**
 * The member who holds the session has just proved who they are.
 * @param method how; by passkey is what the admin needs
 */
export const markRecentlyAuthenticated = (
  db: Db,
  token: string,
  now = Date.now(),
  method: SignInMethod = 'code',
): Promise<void> =>
  transact(db, async (trx) => {
    const session = await trx
      .updateTable('sessions')
      .set({ proved_at: now, proved_by: method === 'passkey' ? 'passkey' : null })
      .where('id', '=', toSessionId(token))
      .returning(['user_id', 'device'])
      .executeTakeFirst()
    const what = { detail: method, device: session?.device ?? null }
    if (session) await logSecurityEvent(trx, session.user_id, 'identity-confirmed', what, now)
  })

/** Ends the session that `token` opens, if there is one: its member signs out. */
export const endSession = (db: Db, token: string): Promise<void> =>
  transact(db, async (trx) => {
    const ended = await trx
      .deleteFrom('sessions')
      .where('id', '=', toSessionId(token))
      .returning(['user_id', 'device'])
      .executeTakeFirst()
    if (ended) await logSecurityEvent(trx, ended.user_id, 'sign-out', { device: ended.device })
  })
