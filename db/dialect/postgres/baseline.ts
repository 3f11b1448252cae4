import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { toPostgresTypes } from '../column-types.ts'
import type { AnyDb } from '../dialect.ts'
import { takeWriteLock } from '../write-lock.ts'
import { systemTables } from './system-tables.ts'
import { communityTables } from './tables.ts'
import { triggers } from './triggers.ts'

/** The migrations up to this one are SQLite's. In PostgreSQL the first of them builds what all of them leave, and the others do nothing. */
const LAST_BASELINE_MIGRATION = '2026-11-24-0058-words-by-writers'

async function createBaseline(db: AnyDb): Promise<void> {
  for (const statement of [...communityTables, ...systemTables, ...triggers])
    await sql.raw(toPostgresTypes(statement)).execute(db)
}

/** PostgreSQL alters no table whose triggers still wait for the commit. */
async function runMigration(db: AnyDb, migration: Migration): Promise<void> {
  await takeWriteLock(db)
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(db)
  await migration.up(db as Kysely<unknown>)
}

/**
 * The migrations for an empty PostgreSQL, under the names that SQLite remembers too.
 * @param migrations those of SQLite, in order
 */
export function toPostgresMigrations(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  const [first] = Object.keys(migrations)
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => {
      if (name > LAST_BASELINE_MIGRATION) return [name, { up: (db) => runMigration(db, migration) }]
      return [name, { up: name === first ? createBaseline : async () => {} }]
    }),
  )
}
