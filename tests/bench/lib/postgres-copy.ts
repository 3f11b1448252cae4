import { join } from 'node:path'
import { sql } from 'kysely'
import { type Trx as Db, migrate, openDatabase } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { moveRows } from '#features/maintenance/move/move-rows.server.ts'

/**
 * Copies the database of a data folder to a new PostgreSQL on this machine, with its own settings for durability.
 * @returns its address, and a connection for the caller to close
 */
export async function copyToPostgres(dataDir: string): Promise<{ url: string; db: Db }> {
  process.env.TESTS_POSTGRES = 'durable'
  const { createPostgresDatabase } = await import('#tests/support/postgres/databases.ts')
  const { url } = await createPostgresDatabase()
  const source = openDatabase(join(dataDir, 'perrario.db'))
  // A community that was filled some time ago is of an earlier version.
  await migrate(source)
  const db = openPostgres(url, { applicationName: 'perrario-bench', allowExitOnIdle: true })
  await moveRows(source, db)
  await source.destroy()
  await sql`ANALYZE`.execute(db)
  return { url, db }
}

/** The databases that a bench compares; BENCH_DATABASES=postgres names one of the two. */
export const BENCH_DATABASES = (process.env.BENCH_DATABASES ?? 'sqlite,postgres').split(',')
