import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { readSession } from './sessions.server.ts'

/** The account behind a session; the profile part is null until the first load makes it. */
export interface SessionUser {
  id: string
  email: string | null
  profile: { alias: string; emoji: string; verified: boolean } | null
  expiresAt: number
  fresh: boolean
  /** When they last proved who they are. */
  provedAt: number
}

const selectAccount = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'users.email', 'profiles.alias', 'profiles.emoji', 'profiles.verified'])
    .where('users.id', '=', id),
)

/** Who holds `token`, in two index look-ups; null for an unknown or ended session. */
export async function findUserByToken(db: Db, token: string): Promise<SessionUser | null> {
  const session = await readSession(db, token)
  if (!session) return null
  const [row] = await selectAccount(db, { id: session.userId })
  if (!row) return null
  const profile = row.alias === null ? null : { alias: row.alias, emoji: row.emoji!, verified: row.verified === 1 }
  const { expiresAt, fresh, provedAt } = session
  return { id: row.id, email: row.email, profile, expiresAt, fresh, provedAt }
}

/** Whose session a request's Cookie header carries, for what is answered before Astro; null for nobody's. */
export async function findUserIdByCookie(db: Db, cookies: string | undefined, secure: boolean): Promise<string | null> {
  const name = `${sessionCookieName(secure)}=`
  const pair = cookies?.split(/;\s*/).find((part) => part.startsWith(name))
  const token = pair?.slice(name.length)
  // As a cookie of ours is written it has no escapes; what is no token of ours names nobody.
  if (!token || !/^[\w.-]{1,64}$/.test(token)) return null
  return (await findUserByToken(db, token))?.id ?? null
}
