import Database from 'better-sqlite3'
import { Kysely, sql, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { LRUCache } from 'lru-cache'
import { VIEWS } from './content.ts'
import { dialectOf, type Readable } from './dialect/dialect.ts'
import { toPostgresMigrations } from './dialect/postgres/baseline.ts'
import { isServed } from './dialect/postgres/change-log.ts'
import { withoutTimeouts } from './dialect/postgres/session.ts'
import { PostgresUnusableError } from './errors.ts'
import { listExecutedMigrations, renameExecutedMigrations } from './migration-names.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'
import { CHECKPOINT_PAGES } from './dialect/short-checkpoints.ts'
import { countStatement } from './statement-count.ts'
import { noteStatement } from './table-changes.ts'

/** A transaction, which may write (`transact`). */
export type Trx = Kysely<Schema>
/** The database to read from, or a transaction: what every query function takes first. Only `transact` makes one that writes of it. */
export type Db = Readable<Trx>
export type Sqlite = Database.Database

/** The raw handle of each Kysely. */
const handles = new WeakMap<Db, Sqlite>()

/**
 * Opens the SQLite file (`:memory:` for tests) with the settings that all code relies on. Call `migrate` before use.
 *
 * synchronous=NORMAL under WAL survives any crash of the process; only a power cut may lose the last commits, never
 * the file. FULL would block the event loop with an fsync per like.
 */
export function openDatabase(file: string): Trx {
  const sqlite = new Database(file)
  for (const setting of [
    'journal_mode = WAL',
    'synchronous = NORMAL',
    'foreign_keys = ON',
    // Overwrites deleted rows instead of only freeing their space: no page of the file contains erased accounts.
    'secure_delete = ON',
    'busy_timeout = 5000',
    'temp_store = MEMORY',
    // Mapped pages that were read would count as this process's memory, up to the whole map.
    'mmap_size = 0',
    'cache_size = -16000',
    // No copy of the log into the file holds up requests for long (docs/adr/0190-streams-and-checkpoints-give-way-to-requests.md).
    `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    'journal_size_limit = 67108864',
  ])
    sqlite.pragma(setting)
  return toKysely(sqlite)
}

/**
 * Opens a second, read-only handle on the database, for a thread that reads beside the writer (WAL).
 * @throws where there is no such file
 */
export function openReadOnlyDatabase(file: string): Sqlite {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  for (const setting of ['busy_timeout = 5000', 'mmap_size = 0', 'cache_size = -4000']) sqlite.pragma(setting)
  return sqlite
}

/** A Kysely over an open handle, for example over a restored snapshot in tests. */
export function toKysely(sqlite: Sqlite): Trx {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: cacheStatements(sqlite) }) })
  handles.set(db, sqlite)
  return db
}

/** Prepared statements that are cached, a few more than the pages and calls of one busy minute send. */
const MAX_CACHED_STATEMENTS = 500

/**
 * The handle for Kysely, with a cache of prepared statements: Kysely has SQLite compile every query again, which took as long as
 * running it (half the time of a like). The least recently used statement is evicted. No statement runs while it is being
 * iterated: Kysely gives the one connection to one caller at a time.
 */
function cacheStatements(sqlite: Sqlite): SqliteDatabase {
  const cache = new LRUCache<string, Database.Statement>({ max: MAX_CACHED_STATEMENTS })
  return {
    close: () => void sqlite.close(),
    prepare(text) {
      const sql = rewriteStatement(text, sqlite)
      countStatement()
      noteStatement(sql)
      let statement = cache.get(sql)
      if (!statement) cache.set(sql, (statement = sqlite.prepare(sql)))
      return statement as SqliteStatement
    },
  }
}

/**
 * Replaces two of Kysely's statements. A transaction takes the write lock when it begins and waits up to `busy_timeout` for other
 * processes: one that reads first would fail at once (SQLITE_BUSY_SNAPSHOT) after another process has written. And SQLite rolls back
 * by itself when the disk is full: a second rollback would fail and hide the reason.
 */
function rewriteStatement(text: string, sqlite: Sqlite): string {
  if (text === 'begin') return 'begin immediate'
  return text === 'rollback' && !sqlite.inTransaction ? 'SELECT 1 WHERE 0' : text
}

/** The raw handle of `db`, for what only SQLite has: checkpoints, backups, query plans. @throws for a transaction */
export function sqliteOf(db: Db): Sqlite {
  const sqlite = handles.get(db)
  if (!sqlite) throw new Error('sqliteOf wants the database itself, not a transaction')
  return sqlite
}

/** The first migration that ran in the database and that this program does not know: a newer version ran it. */
export const findUnknownMigration = (sqlite: Sqlite): string | undefined =>
  listExecutedMigrations(sqlite).find((name) => !Object.hasOwn(migrations, name))

/**
 * Runs the pending migrations, all or none, after renaming those that ran under an earlier name, and creates views anew that are not as
 * VIEWS says. Nodes that start at the same time wait for each other.
 * @returns the names that ran
 * @throws what failed; PostgresUnusableError where something is to change while a server runs
 */
export async function migrate(db: Db): Promise<string[]> {
  if (dialectOf(db) === 'postgres') return withoutTimeouts(db, migratePostgres)
  renameExecutedMigrations(sqliteOf(db))
  const ran = await runMigrations(db, migrations)
  await renewViews(db, await listOutdatedViews(db))
  return ran
}

async function migratePostgres(db: Db): Promise<string[]> {
  const list = toPostgresMigrations(migrations)
  // In this order: a node that starts at the same time serves once it has migrated.
  if (await isServed(db)) {
    const isPending = (await createMigrator(db, list).getMigrations()).some(({ executedAt }) => !executedAt)
    if (isPending || (await listOutdatedViews(db)).length > 0)
      throw new PostgresUnusableError(
        'otro servidor de este sitio está en marcha con la versión de antes: para todos los nodos y arranca después la nueva.',
      )
  }
  const ran = await runMigrations(db, list)
  // PostgreSQL's views keep the columns that their tables had when they were created; SQLite's have those of now.
  await renewViews(db, ran.length > 0 ? STATEMENTS : await listOutdatedViews(db))
  return ran
}

type ViewStatement = [view: string, statement: string]
const STATEMENTS = Object.entries(VIEWS).map(([view, shown]): ViewStatement => [
  view,
  `CREATE VIEW ${view} AS SELECT * FROM ${view}_all WHERE ${shown}`,
])

/** Views that are not, or not as the list says: a change of the list needs no migration. PostgreSQL keeps the statement as a comment. */
async function listOutdatedViews(db: Db): Promise<ViewStatement[]> {
  const { rows } = await (
    dialectOf(db) === 'sqlite'
      ? sql<{ statement: string }>`SELECT sql AS statement FROM sqlite_schema WHERE type = 'view'`
      : sql<{ statement: string }>`SELECT obj_description(oid, 'pg_class') AS statement FROM pg_class
        WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace`
  ).execute(db)
  const created = new Set(rows.map(({ statement }) => statement))
  return STATEMENTS.filter(([, statement]) => !created.has(statement))
}

async function renewViews(db: Db, views: readonly ViewStatement[]): Promise<void> {
  if (views.length === 0) return
  await (db as Trx).transaction().execute(async (trx) => {
    for (const [view, statement] of views) {
      await sql.raw(`DROP VIEW IF EXISTS ${view}`).execute(trx)
      await sql.raw(statement).execute(trx)
      if (dialectOf(db) === 'postgres')
        await sql`COMMENT ON VIEW ${sql.table(view)} IS ${sql.lit(statement)}`.execute(trx)
    }
  })
}

const createMigrator = (db: Db, list: Record<string, Migration>): Migrator =>
  new Migrator({ db: db as Trx, provider: { getMigrations: async () => list } })

async function runMigrations(db: Db, list: Record<string, Migration>): Promise<string[]> {
  const migrator = createMigrator(db, list)
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((r) => r.migrationName)
}
