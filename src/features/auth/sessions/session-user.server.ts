import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { readSession } from './sessions.server.ts'

/** The account behind a session; `profile` is null until the first load creates it. Times in milliseconds. */
export interface SessionUser {
  id: string
  email: string | null
  profile: { alias: string; emoji: string; verified: boolean } | null
  expiresAt: number
  /** Whether the session was just prolonged: the cookie is then sent again. */
  fresh: boolean
  /** When the member last authenticated. */
  authenticatedAt: number
}

const selectAccount = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'users.email', 'profiles.alias', 'profiles.emoji', 'profiles.verified'])
    .where('users.id', '=', id),
)

/** The account whose session `token` opens, in two index look-ups; null for an unknown or expired session. */
export async function findUserByToken(db: Db, token: string): Promise<SessionUser | null> {
  const session = await readSession(db, token)
  if (!session) return null
  const [row] = await selectAccount(db, { id: session.userId })
  if (!row) return null
  const profile = row.alias === null ? null : { alias: row.alias, emoji: row.emoji!, verified: row.verified === 1 }
  const { expiresAt, fresh, authenticatedAt } = session
  return { id: row.id, email: row.email, profile, expiresAt, fresh, authenticatedAt }
}

/** Id of the member whose session a Cookie header carries, for requests answered before Astro; null for none. */
export async function findUserIdByCookie(db: Db, cookies: string | undefined, secure: boolean): Promise<string | null> {
  const name = `${sessionCookieName(secure)}=`
  const pair = cookies?.split(/;\s*/).find((part) => part.startsWith(name))
  const token = pair?.slice(name.length)
  // Tokens hold no escaped characters; any other value is no token.
  if (!token || !/^[\w.-]{1,64}$/.test(token)) return null
  return (await findUserByToken(db, token))?.id ?? null
}
