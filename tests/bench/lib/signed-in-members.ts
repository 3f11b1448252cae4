import { randomUUID } from 'node:crypto'
import { type Trx as Db, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { join } from 'node:path'
import { sessionCookieName } from '#features/auth/auth.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'

export interface BenchWorld {
  dogs: { id: string; path: string }[]
  cookies: string[]
}

/** A community of `dogs` dogs in `dataDir`, with `sessions` of its members signed in. */
export async function createBenchWorld(dataDir: string, dogs: number, sessions: number): Promise<BenchWorld> {
  const db = openDatabase(join(dataDir, 'perrario.db'))
  await migrate(db)
  fillCommunity(db, dogs)
  await db.destroy()
  return signInMembers(dataDir, sessions)
}

/** Some of the dogs of a community that is there, with `sessions` of its members signed in. */
export async function signInMembers(dataDir: string, sessions: number): Promise<BenchWorld> {
  const db = openDatabase(join(dataDir, 'perrario.db'))
  const cookies: string[] = []
  for (const { id } of await ensureMembers(db, sessions))
    cookies.push(`${sessionCookieName(false)}=${(await createSession(db, id)).token}`)
  const rows = await db.selectFrom('dogs').select(['id', 'path_breed', 'path_slug']).limit(400).execute()
  await db.destroy()
  return { dogs: rows.map((row) => ({ id: row.id, path: `/${row.path_breed}/${row.path_slug}` })), cookies }
}

/** As many members as asked for, more of them made where the community has too few. */
async function ensureMembers(db: Db, count: number): Promise<{ id: string }[]> {
  const known = await db.selectFrom('profiles').select('id').limit(count).execute()
  const sqlite = sqliteOf(db)
  const addUser = sqlite.prepare('INSERT INTO users (id, email, created_at) VALUES (?, ?, ?)')
  const addProfile = sqlite.prepare(
    'INSERT INTO profiles_all (id, alias, alias_key, emoji, created_at) VALUES (?, ?, ?, ?, ?)',
  )
  for (let n = known.length; n < count; n++) {
    const id = randomUUID()
    addUser.run(id, `s${n}@ejemplo.es`, Date.now())
    addProfile.run(id, `Socio ${n}`, aliasKey(`Socio ${n}`), '🐶', Date.now())
    known.push({ id })
  }
  return known
}
