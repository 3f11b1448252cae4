import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { BetterSqlite3Adapter } from '@lucia-auth/adapter-sqlite'
import { Lucia, TimeSpan } from 'lucia'
import { type Db, remembering, type Sqlite, sqliteOf } from '#db/client.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { storageTrouble } from '#lib/storage.ts'
import { type OpenSession, SESSION_DAYS, SESSIONS_SHOWN } from './auth.ts'

// lucia 3 is retired upstream: this file is the only one that knows it, so that it can be replaced here.

declare module 'lucia' {
  interface Register {
    Lucia: Lucia
    DatabaseSessionAttributes: { created_at: number; device: string | null; public_id: string }
  }
}

const instances = new WeakMap<Db, Map<number, Lucia>>()

/** lucia's own length of a session is fixed per instance: one instance for each length in use (the usual, and dev's). */
function luciaOf(db: Db, seconds: number): Lucia {
  const ofDb = instances.get(db) ?? new Map<number, Lucia>()
  instances.set(db, ofDb)
  let lucia = ofDb.get(seconds)
  if (!lucia) {
    const adapter = new BetterSqlite3Adapter(remembering(sqliteOf(db)) as Sqlite, {
      user: 'users',
      session: 'sessions',
    })
    lucia = new Lucia(adapter, { sessionExpiresIn: new TimeSpan(seconds, 's') })
    ofDb.set(seconds, lucia)
  }
  return lucia
}

const USUAL = SESSION_DAYS * 86_400

/** A session shorter than usual says so in front of its token: `3600.…`. Lying there can only shorten it. */
function secondsOf(token: string): number {
  const seconds = Number(/^(\d{1,7})\./.exec(token)?.[1])
  return seconds > 0 && seconds < USUAL ? seconds : USUAL
}

/** The id of the session that `token` opens, whether or not there is one. */
export const sessionIdOf = (token: string): string => hash(token)

const hash = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * lucia writes through the raw handle. Waiting for Kysely's connection first keeps its rows out of a transaction that
 * somebody else has open there, with which they would be rolled back.
 */
const alone = <T>(db: Db, work: () => Promise<T>): Promise<T> => db.connection().execute(work)

/**
 * Opens a session and returns the token for the cookie; the database keeps only its hash.
 * @param device the browser and device as the member will read it in their list of sessions
 */
export async function createSession(
  db: Db,
  userId: string,
  seconds = USUAL,
  device: string | null = null,
): Promise<{ token: string; expiresAt: number }> {
  const secret = randomBytes(24).toString('base64url')
  const token = seconds === USUAL ? secret : `${seconds}.${secret}`
  const attributes = { created_at: Date.now(), device, public_id: randomUUID() }
  const session = await alone(db, async () => {
    // Nothing else sweeps: sessions that ended by themselves go when somebody signs in.
    await luciaOf(db, seconds).deleteExpiredSessions()
    return luciaOf(db, seconds).createSession(userId, attributes, { sessionId: hash(token) })
  })
  // The table holds seconds: say what later look-ups will say.
  return { token, expiresAt: Math.floor(session.expiresAt.getTime() / 1000) * 1000 }
}

/**
 * Whose session `token` opens, or null. `fresh` is true when lucia has just prolonged it (past half its life): the
 * cookie must then be sent again with the new end.
 */
export async function readSession(
  db: Db,
  token: string,
): Promise<{ userId: string; expiresAt: number; fresh: boolean } | null> {
  const found = await luciaOf(db, secondsOf(token))
    .validateSession(hash(token))
    .catch((error: unknown) => {
      if (storageTrouble(error)) return null
      throw error
    })
  if (!found) return readOnlySession(db, token)
  const { session } = found
  if (!session) return null
  return { userId: session.userId, expiresAt: session.expiresAt.getTime(), fresh: session.fresh }
}

/** The session as it stands, where the disk takes no prolonging and no sweeping: pages are still read. */
async function readOnlySession(db: Db, token: string) {
  const row = await db
    .selectFrom('sessions')
    .select(['user_id', 'expires_at'])
    .where('id', '=', hash(token))
    .where('expires_at', '>', Math.floor(Date.now() / 1000))
    .executeTakeFirst()
  return row ? { userId: row.user_id, expiresAt: row.expires_at * 1000, fresh: false } : null
}

export async function endSession(db: Db, token: string): Promise<void> {
  await alone(db, () => luciaOf(db, USUAL).invalidateSession(hash(token)))
}

export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await alone(db, () => luciaOf(db, USUAL).invalidateUserSessions(userId))
}

/** The open sessions of a member, the latest first, by index `sessions_user`; `token` is the asking browser's own. */
export async function openSessions(
  db: Db,
  userId: string,
  token: string | undefined,
  limit = SESSIONS_SHOWN,
): Promise<OpenSession[]> {
  const own = token === undefined ? null : hash(token)
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'public_id', 'device', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', Math.floor(Date.now() / 1000))
    .orderBy('created_at', 'desc')
    .orderBy('public_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    device: row.device,
    created_at: row.created_at || null,
    expires_at: row.expires_at * 1000,
    current: row.id === own,
  }))
}

/**
 * Ends one session of the member, named by its public id; true when it was the one that `token` opens.
 * @throws AppError 404 for one that is not open, 403 for somebody else's
 */
export async function endSessionById(
  db: Db,
  userId: string,
  publicId: string,
  token: string | undefined,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw notFound('Esa sesión ya está cerrada.')
  if (row.user_id !== userId) throw forbidden('Solo puedes cerrar tus propias sesiones.')
  await alone(db, () => luciaOf(db, USUAL).invalidateSession(row.id))
  return token !== undefined && row.id === hash(token)
}
