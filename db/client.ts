import Database from 'better-sqlite3'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { Migrator } from 'kysely/migration'
import { listExecutedMigrations, renameExecutedMigrations } from './migration-names.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

/** The database, or a transaction on it: what every query function takes first. */
export type Db = Kysely<Schema>
export type Sqlite = Database.Database

/**
 * Which raw handle a Kysely stands on. On globalThis, because the sources open the database and Astro's bundle, a module
 * graph of its own, asks for the handle (see src/server/db.ts).
 */
const shared = globalThis as { [key: symbol]: WeakMap<Db, Sqlite> | undefined }
const handles = (shared[Symbol.for('perrario.handles')] ??= new WeakMap<Db, Sqlite>())

/**
 * Opens the SQLite file (`:memory:` for tests) with the settings every part relies on. Call `migrate` before use.
 *
 * synchronous=NORMAL under WAL survives any crash of the process; only a power cut may lose the last commits, never
 * the file. FULL would block the event loop with an fsync per like.
 */
export function openDatabase(file: string): Db {
  const sqlite = new Database(file)
  for (const setting of [
    'journal_mode = WAL',
    'synchronous = NORMAL',
    'foreign_keys = ON',
    // What is deleted is overwritten, and not only marked as room for others: erased accounts are in no page of the file.
    'secure_delete = ON',
    'busy_timeout = 5000',
    'temp_store = MEMORY',
    'mmap_size = 67108864',
    'cache_size = -32000',
    // 16 MB: pages that change often are copied into the file once instead of four times.
    'wal_autocheckpoint = 4000',
    'journal_size_limit = 67108864',
  ])
    sqlite.pragma(setting)
  return toKysely(sqlite)
}

/**
 * A second, read-only handle on a file that `openDatabase` has made: for a thread of its own, which reads beside the
 * writer (WAL). It maps nothing of the file: what it once read through would count as this process's memory. Throws where
 * there is no such file.
 */
export function openReadOnlyDatabase(file: string): Sqlite {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  for (const setting of ['busy_timeout = 5000', 'mmap_size = 0', 'cache_size = -4000']) sqlite.pragma(setting)
  return sqlite
}

/** A Kysely over a handle that is already open: tests restore snapshots this way. */
export function toKysely(sqlite: Sqlite): Db {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: cacheStatements(sqlite) }) })
  handles.set(db, sqlite)
  return db
}

/** Statements sent to the database by this process: what shows that a kept page needs none. On globalThis as `shared` is. */
const statementCounter = ((globalThis as { [key: symbol]: { count: number } | undefined })[
  Symbol.for('perrario.statements')
] ??= {
  count: 0,
})
export const countStatements = (): number => statementCounter.count

/** Statements kept ready, a few more than the pages and calls of one busy minute send. */
const MAX_CACHED_STATEMENTS = 500

/**
 * The handle as Kysely and lucia use it, with statements kept ready: both have SQLite compile every query anew, which took
 * as long as running it (half the time of a like). The one used longest ago goes first. None is ever run while it is
 * being stepped through: Kysely gives the one connection to one caller at a time.
 */
export function cacheStatements(sqlite: Sqlite): SqliteDatabase {
  const ready = new Map<string, Database.Statement>()
  return {
    close: () => void sqlite.close(),
    prepare(text) {
      const sql = rewriteStatement(text, sqlite)
      statementCounter.count++
      const known = ready.get(sql)
      const statement = known ?? sqlite.prepare(sql)
      ready.delete(sql)
      ready.set(sql, statement)
      if (ready.size > MAX_CACHED_STATEMENTS) ready.delete(ready.keys().next().value!)
      return statement as SqliteStatement
    },
  }
}

/**
 * What is sent in place of Kysely's words. A transaction takes its turn to write when it begins, and waits for other
 * processes up to `busy_timeout`: one that has read first is refused at once (SQLITE_BUSY_SNAPSHOT) if anybody wrote
 * meanwhile. And SQLite undoes one by itself when the disk is full: undoing it again would fail, and hide why.
 */
function rewriteStatement(text: string, sqlite: Sqlite): string {
  if (text === 'begin') return 'begin immediate'
  return text === 'rollback' && !sqlite.inTransaction ? 'SELECT 1 WHERE 0' : text
}

/** The raw handle behind `db`, for lucia's adapter, backups and query plans. Throws for a transaction, which has none. */
export function sqliteOf(db: Db): Sqlite {
  const sqlite = handles.get(db)
  if (!sqlite) throw new Error('sqliteOf wants the database itself, not a transaction')
  return sqlite
}

/** The first migration that ran in the database and that this program does not know: a newer version ran it. */
export const findUnknownMigration = (sqlite: Sqlite): string | undefined =>
  listExecutedMigrations(sqlite).find((name) => !Object.hasOwn(migrations, name))

/**
 * Runs the pending migrations, each in a transaction, after renaming those that ran under an earlier name.
 * @returns the names that ran
 * @throws what failed
 */
export async function migrate(db: Db): Promise<string[]> {
  renameExecutedMigrations(sqliteOf(db))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((r) => r.migrationName)
}
