import type { BrowserContext } from 'playwright'
import { sessionCookieName } from '#features/auth/auth.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { type TestServer } from './server.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'

export interface TestMember {
  id: string
  email: string
  alias: string
  emoji: string
  token: string
  /** For fetch: `headers: { Cookie: ana.cookie }`. */
  cookie: string
}

/** A member with an open session, written straight into the server's database: no mail, no limit, no wait. */
export async function signInMember(server: TestServer, email = 'ana@ejemplo.es'): Promise<TestMember> {
  await using db = openServerDatabase(server)
  const { id } = await ensureUser(db, email)
  const { alias, emoji } = await ensureProfile(db, id)
  const { token } = await createSession(db, id)
  return { id, email, alias, emoji, token, cookie: `${sessionCookieName(false)}=${token}` }
}

/** Gives the member's session to a browser. */
export const useSession = (
  context: BrowserContext,
  server: { url: string },
  member: Pick<TestMember, 'token'>,
): Promise<void> =>
  context.addCookies([
    { name: sessionCookieName(false), value: member.token, url: server.url, httpOnly: true, sameSite: 'Lax' },
  ])
