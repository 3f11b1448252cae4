/** Communities to measure: copies of those in `.cache/bench`, their members signed in, in a file or in PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Trx as Db, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { moveRows } from '#features/maintenance/move/move-rows.server.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'

export type BenchDatabase = 'sqlite' | 'postgres'

/** The databases that a bench goes through; BENCH_DATABASES=postgres names one of the two. */
export const BENCH_DATABASES = (process.env.BENCH_DATABASES ?? 'sqlite,postgres').split(',') as BenchDatabase[]

export interface BenchWorld {
  dataDir: string
  /** For the server: the data folder, and the address of the database where it is PostgreSQL. */
  env: Record<string, string>
  db: Db
  dogs: { id: string; path: string }[]
  /** A session each. */
  cookies: string[]
  /** Closes the database and deletes the folder. */
  dispose: () => Promise<void>
}

/** A community of `dogs` dogs that may be written to, `members` of it signed in. */
export async function openWorld(dogs: number, members = 0, database: BenchDatabase = 'sqlite'): Promise<BenchWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), `perrario-bench-${dogs}-`))
  cpSync(await prepareCommunity(dogs), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const file = openDatabase(join(dataDir, 'perrario.db'))
  const cookies: string[] = []
  for (const { id } of await ensureMembers(file, members))
    cookies.push(`${sessionCookieName(false)}=${(await createSession(file, id)).token}`)
  const rows = await file.selectFrom('dogs').select(['id', 'path_breed', 'path_slug']).limit(500).execute()
  const copy = database === 'postgres' ? await copyToPostgres(file) : undefined
  if (copy) await file.destroy()
  const db = copy?.db ?? file
  return {
    dataDir,
    env: { DATA_DIR: dataDir, TRUST_PROXY: '1', ...(copy && { DATABASE_URL: copy.url }) },
    db,
    dogs: rows.map((row) => ({ id: row.id, path: `/${row.path_breed}/${row.path_slug}` })),
    cookies,
    async dispose() {
      await db.destroy()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Copies a database to a new PostgreSQL on this machine, with its own settings for durability. */
export async function copyToPostgres(source: Db): Promise<{ url: string; db: Db }> {
  process.env.TESTS_POSTGRES = 'durable'
  const { createPostgresDatabase } = await import('#tests/support/postgres/databases.ts')
  const { url } = await createPostgresDatabase()
  // A community that was filled some time ago is of an earlier version.
  await migrate(source)
  const db = openPostgres(url, { applicationName: 'perrario-bench', allowExitOnIdle: true })
  await moveRows(source, db)
  await sql`VACUUM ANALYZE`.execute(db)
  return { url, db }
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
