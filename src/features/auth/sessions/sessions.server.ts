import { hash, randomBytes, randomUUID } from 'node:crypto'
import { Lucia, TimeSpan } from 'lucia'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { SessionsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { DEV_SESSION_SECONDS, SESSION_IDLE_DAYS, MAX_SESSION_DAYS } from '#features/auth/auth.ts'
import type { SignInMethod } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { findLeavingAccount } from './leaving-session.server.ts'
import { type AccountAttributes, createSessionAdapter } from './session-adapter.server.ts'

// lucia 3 is retired upstream: this file and its adapter are the only ones that know it, so that it can be replaced here.

declare module 'lucia' {
  interface Register {
    Lucia: PerrarioLucia
    DatabaseSessionAttributes: SessionAttributes & { device: string | null; public_id: string }
    DatabaseUserAttributes: AccountAttributes
  }
}

type SessionAttributes = { created_at: number } & Pick<Selectable<SessionsTable>, 'proved_at' | 'proved_by'>
type PerrarioLucia = Lucia<SessionAttributes, AccountAttributes>

const MAX_SESSION_MS = MAX_SESSION_DAYS * DAY_SECONDS * 1000

/** How a member authenticated: by a passkey, or any other way. */
export type ProvedBy = SessionAttributes['proved_by']

/** How long a session lasts without a visit: lucia fixes it per instance, so a database has one instance for each. */
export type SessionLength = 'usual' | 'dev'

const instances = new WeakMap<Db, Record<SessionLength, PerrarioLucia>>()

function openLucia(db: Db): Record<SessionLength, PerrarioLucia> {
  const adapter = createSessionAdapter(db)
  const open = (seconds: number): PerrarioLucia =>
    new Lucia(adapter, {
      sessionExpiresIn: new TimeSpan(seconds, 's'),
      getSessionAttributes: ({ created_at, proved_at, proved_by }) => ({ created_at, proved_at, proved_by }),
      getUserAttributes: (attributes) => attributes,
    })
  return { usual: open(SESSION_IDLE_DAYS * DAY_SECONDS), dev: open(DEV_SESSION_SECONDS) }
}

function getLucia(db: Db, length: SessionLength = 'usual'): PerrarioLucia {
  let ofDb = instances.get(db)
  if (!ofDb) instances.set(db, (ofDb = openLucia(db)))
  return ofDb[length]
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
export const toSessionId = (token: string): string => hashToken(token)

const hashToken = (token: string) => hash('sha256', token, 'hex')

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
  const now = Date.now()
  const proof = { proved_at: authenticatedAt, proved_by: provedBy }
  const publicId = randomUUID()
  const attributes = { created_at: now, ...proof, device, public_id: publicId }
  // Nothing else sweeps: sessions that ended by themselves go when somebody signs in.
  await getLucia(trx).deleteExpiredSessions()
  const session = await getLucia(trx, length).createSession(userId, attributes, { sessionId: hashToken(token) })
  // The table holds seconds: say what later look-ups will say.
  return { token, expiresAt: Math.floor(session.expiresAt.getTime() / 1000) * 1000, publicId }
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
  const lucia = getLucia(db, length)
  const sessionId = hashToken(token)
  const found = await lucia.validateSession(sessionId).catch((error: unknown) => {
    if (findStorageFailure(error)) return null
    throw error
  })
  if (!found) return findStoredSession(db, sessionId)
  const { session, user } = found
  return session && toActiveSession(session, user)
}

interface SessionRow {
  userId: string
  expiresAt: Date
  fresh: boolean
  created_at: number
  proved_at: number
  proved_by: ProvedBy
}

/**
 * @returns null for a session that began MAX_SESSION_DAYS ago: the row's own end says how long it lasts without a visit, the absolute
 * one is seen to here and by the sweep
 */
function toActiveSession(
  { userId, expiresAt, fresh, created_at, proved_at, proved_by }: SessionRow,
  { email, profile }: AccountAttributes,
): ActiveSession | null {
  const end = created_at + MAX_SESSION_MS
  if (end <= Date.now()) return null
  return {
    userId,
    email,
    profile,
    expiresAt: Math.min(expiresAt.getTime(), end),
    fresh,
    authenticatedAt: proved_at,
    provedBy: proved_by,
  }
}

/** Whose session `token` opens, or null. Unlike `readSession` it renews nothing. */
export const peekSession = async (db: Db, token: string): Promise<ActiveSession | null> =>
  parseSessionLength(token) === null ? null : findStoredSession(db, hashToken(token))

/** The session as it stands, also where the disk takes no renewing and no sweeping: pages are still read. */
async function findStoredSession(db: Db, sessionId: string): Promise<ActiveSession | null> {
  const [session, user] = await createSessionAdapter(db).getSessionAndUser(sessionId)
  if (!session || !user || session.expiresAt.getTime() <= Date.now()) return null
  return toActiveSession({ ...session, ...session.attributes, fresh: false }, user.attributes)
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
  const id = hashToken(token)
  const [session, user] = await createSessionAdapter(db).getSessionAndUser(id)
  if (!session || !user) return (await findLeavingAccount(db, id)) ? null : 'ended'
  if (!user.attributes.profile) return null
  const idleMs = (length === 'dev' ? DEV_SESSION_SECONDS : SESSION_IDLE_DAYS * DAY_SECONDS) * 1000
  const validUntil = Math.min(session.expiresAt.getTime() - idleMs / 2, session.attributes.created_at + MAX_SESSION_MS)
  return validUntil > now ? { userId: session.userId } : null
}

/** Whether the session `id` (`toSessionId`) is open now. */
export async function isSessionOpen(db: Db, id: string, now = Date.now()): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('expires_at', '>', Math.floor(now / 1000))
    .where('created_at', '>', now - MAX_SESSION_MS)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The member who holds the session has just proved who they are.
 * @param method how; by passkey is what the admin needs
 */
export async function markRecentlyAuthenticated(
  db: Db,
  token: string,
  now = Date.now(),
  method: SignInMethod = 'code',
): Promise<void> {
  const proof = { proved_at: now, proved_by: method === 'passkey' ? ('passkey' as const) : null }
  await transact(db, async (trx) => {
    const session = await trx
      .updateTable('sessions')
      .set(proof)
      .where('id', '=', hashToken(token))
      .returning(['user_id', 'device'])
      .executeTakeFirst()
    if (session)
      await logSecurityEvent(
        trx,
        session.user_id,
        'identity-confirmed',
        { detail: method, device: session.device },
        now,
      )
  })
}

/** Ends the session that `token` opens, if there is one: its member signs out. */
export const endSession = (db: Db, token: string): Promise<void> =>
  transact(db, async (trx) => {
    const ended = await trx
      .deleteFrom('sessions')
      .where('id', '=', hashToken(token))
      .returning(['user_id', 'device'])
      .executeTakeFirst()
    if (ended) await logSecurityEvent(trx, ended.user_id, 'sign-out', { device: ended.device })
  })
