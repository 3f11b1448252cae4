import { createHash, randomBytes } from 'node:crypto'
import { BetterSqlite3Adapter } from '@lucia-auth/adapter-sqlite'
import { Lucia, TimeSpan } from 'lucia'
import { type Db, sqliteOf } from '#db/client.ts'
import { SESSION_DAYS } from './auth.ts'

// lucia 3 is retired upstream: this file is the only one that knows it, so that it can be replaced here.

declare module 'lucia' {
  interface Register {
    Lucia: Lucia
  }
}

const instances = new WeakMap<Db, Lucia>()

function luciaOf(db: Db): Lucia {
  let lucia = instances.get(db)
  if (!lucia) {
    const adapter = new BetterSqlite3Adapter(sqliteOf(db), { user: 'users', session: 'sessions' })
    lucia = new Lucia(adapter, { sessionExpiresIn: new TimeSpan(SESSION_DAYS, 'd') })
    instances.set(db, lucia)
  }
  return lucia
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex')

/** Opens a session and returns the token for the cookie; the database keeps only its hash. */
export async function createSession(db: Db, userId: string): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(24).toString('base64url')
  const session = await luciaOf(db).createSession(userId, {}, { sessionId: hash(token) })
  return { token, expiresAt: session.expiresAt.getTime() }
}

/**
 * Whose session `token` opens, or null. `fresh` is true when lucia has just prolonged it (past half its life): the
 * cookie must then be sent again with the new end.
 */
export async function readSession(
  db: Db,
  token: string,
): Promise<{ userId: string; expiresAt: number; fresh: boolean } | null> {
  const { session } = await luciaOf(db).validateSession(hash(token))
  if (!session) return null
  return { userId: session.userId, expiresAt: session.expiresAt.getTime(), fresh: session.fresh }
}

export async function endSession(db: Db, token: string): Promise<void> {
  await luciaOf(db).invalidateSession(hash(token))
}

export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await luciaOf(db).invalidateUserSessions(userId)
}
