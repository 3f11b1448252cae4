import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Trx as Db, openDatabase } from '#db/client.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { member, seed } from '#tests/support/seed.ts'
import { suite } from '#tests/support/suites.ts'

export const DATABASE = 'perrario.db'

interface World {
  /** With a community in perrario.db. */
  dataDir: string
  /** Nothing yet. */
  emptyDir: string
  /** Without tables. */
  postgres: Db
  url: string
}

/** Opens the database's file of a folder for `action`. */
export async function withFile<T>(dir: string, action: (db: Db) => Promise<T>): Promise<T> {
  await using db = openDatabase(join(dir, DATABASE))
  return await action(db)
}

/** An empty PostgreSQL, whose connections are not a server's. */
export async function emptyPostgres(): Promise<{ postgres: Db; url: string }> {
  const postgres = freshPostgresDb({ template: 'template1', applicationName: 'test' })
  await sql`SELECT 1`.execute(postgres)
  return { postgres, url: await postgresUrlOf(postgres) }
}

/** A suite whose tests each have a community of `dogs` in a folder, another folder, and an empty PostgreSQL. */
export function moveSuite(name: string, dogs: number) {
  const tests = suite<World>(name)
  const folder = mkdtempSync(join(tmpdir(), 'perrario-move-'))
  tests.before(async () => {
    await using db = await openMigratedDatabase(join(folder, DATABASE))
    fillCommunity(db, dogs)
    await seed(db, member({ alias: 'Ñandú äöü ß 🐶' }))
  })
  tests.before.each(async (t) => {
    ;[t.dataDir, t.emptyDir] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'perrario-move-'))) as [string, string]
    cpSync(join(folder, DATABASE), join(t.dataDir, DATABASE))
    Object.assign(t, await emptyPostgres())
  })
  tests.after.each(async ({ dataDir, emptyDir, postgres }) => {
    await postgres?.destroy()
    for (const dir of [dataDir, emptyDir]) rmSync(dir, { recursive: true, force: true })
  })
  tests.after(() => rmSync(folder, { recursive: true }))
  return tests
}
