import type { Db } from '#db/client.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { type ActiveSession, peekSession, readSession } from './sessions.server.ts'

/** The account behind a session, and the session. */
export interface SessionUser extends Omit<ActiveSession, 'userId'> {
  id: string
}

/** The account whose session `token` opens; null for an unknown or expired session. */
export async function findUserByToken(db: Db, token: string): Promise<SessionUser | null> {
  const session = await readSession(db, token)
  if (!session) return null
  const { userId, ...rest } = session
  return { id: userId, ...rest }
}

/**
 * Id of the member whose session a Cookie header carries, for requests answered before Astro; null for none. It renews nothing, since
 * such an answer sends no cookie.
 */
export async function findUserIdByCookie(db: Db, cookies: string | undefined, secure: boolean): Promise<string | null> {
  const name = `${sessionCookieName(secure)}=`
  const pair = cookies?.split(/;\s*/).find((part) => part.startsWith(name))
  const token = pair?.slice(name.length)
  // Tokens hold no escaped characters; any other value is no token.
  if (!token || !/^[\w.-]{1,64}$/.test(token)) return null
  return (await peekSession(db, token))?.userId ?? null
}
