import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { type Db, findUnknownMigration, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { NewerDatabaseError } from '#db/errors.ts'
import { runAlone, withoutWriters } from '#db/dialect/command-locks.ts'
import { listTableNames } from '#db/dialect/table-layouts.ts'
import { countServerConnections } from '#db/dialect/postgres/connect.ts'
import { listPendingMigrations, listRunMigrations } from '../database-contents.server.ts'
import { DATABASE_FILE, databasePaths, isDatabase, isThere, syncFolder } from '../files.server.ts'
import { formatPlural, MaintenanceError } from '../maintenance.ts'
import { assertUnserved, withMaintenanceDb } from '../postgres.server.ts'
import { withLockedData } from './locked-data.server.ts'
import {
  findTableWithRows,
  isMoveUnfinished,
  type MovedTable,
  type MoveProgress,
  moveRows,
  targetNotEmptyError,
} from './move-rows.server.ts'

/** The file in DATA_DIR that a move from PostgreSQL fills. It gets the database's name once it is complete. */
export const MOVING_FILE = `${DATABASE_FILE}.moving`

/** The name of the lock in PostgreSQL: one move at a time. */
const MOVE_LOCK = 'perrario-move'

export interface DatabaseMove {
  dataDir: string
  /** The PostgreSQL. */
  url: string
  onProgress?: (progress: MoveProgress) => void
  /** Called where the move goes on with one that was broken off. */
  onResume?: () => void
}

export interface MovedDatabase {
  tables: number
  rows: number
  /** SHA-256 of all tables' digests, hexadecimal: equal in both databases. */
  digest: string
}

/**
 * Copies the database of `dataDir` to an empty PostgreSQL and compares every table. The file stays as it is.
 * @throws MaintenanceError while a server uses either, where the target has data, or where the move was cut: the same call goes on
 */
export const moveToPostgres = (move: DatabaseMove): Promise<MovedDatabase> =>
  withLockedDatabase(move.dataDir, async () => {
    const file = join(move.dataDir, DATABASE_FILE)
    if (!(await isThere(file)))
      throw new MaintenanceError(`no hay base de datos en ${move.dataDir}: no hay nada que mover.`)
    if (!(await isDatabase(file))) throw new MaintenanceError(`${file} no es una base de datos.`)
    return withDatabase(openDatabase(file), async (source) => {
      assertKnownMigrations(source)
      await assertMigrated(source)
      return withUnservedPostgres(move.url, async (target) => {
        await prepareEmptyPostgres(target)
        // SQLite has one transaction per handle, and the copy reads outside of this one.
        return withDatabase(openDatabase(file), (guard) =>
          withoutWriters(guard, () => copyAndCompare(source, target, move)),
        )
      })
    })
  })

/**
 * Copies a PostgreSQL to the database's file of `dataDir`, which must not exist, and compares every table. The PostgreSQL stays as it is.
 * @throws the same
 */
export const moveFromPostgres = (move: DatabaseMove): Promise<MovedDatabase> =>
  withLockedDatabase(move.dataDir, async () => {
    const file = join(move.dataDir, DATABASE_FILE)
    await assertNoDatabase(move.dataDir)
    return withUnservedPostgres(move.url, async (source) => {
      await assertMigrated(source)
      const movingFile = join(move.dataDir, MOVING_FILE)
      const moved = await withDatabase(openDatabase(movingFile), async (target) => {
        assertKnownMigrations(target)
        await migrateTarget(target)
        const result = await withoutWriters(source, () => copyAndCompare(source, target, move))
        sqliteOf(target).pragma('wal_checkpoint(TRUNCATE)')
        return result
      })
      await rename(movingFile, file)
      await syncFolder(move.dataDir)
      return moved
    })
  })

/** @throws MaintenanceError where the folder has a database, or what SQLite left beside one: it would replay an old WAL into a new file */
async function assertNoDatabase(dataDir: string): Promise<void> {
  if (await isThere(join(dataDir, DATABASE_FILE)))
    throw new MaintenanceError(`ya hay una base de datos en ${dataDir}: aparta antes ${DATABASE_FILE}.`)
  for (const name of [`${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`])
    if (await isThere(join(dataDir, name)))
      throw new MaintenanceError(`quedan restos de otra base de datos en ${dataDir}: aparta antes ${name}.`)
}

/** Locks the data for a move of the database. @throws as `withLockedData` */
const withLockedDatabase = <T>(dataDir: string, action: () => Promise<T>): Promise<T> =>
  withLockedData(dataDir, 'la base de datos', databasePaths(join(dataDir, MOVING_FILE)), action)

async function withDatabase<T>(db: Db, action: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await action(db)
  } finally {
    await db.destroy()
  }
}

/** @throws MaintenanceError while a server, or another move, uses the database */
async function withUnservedPostgres<T>(url: string, action: (db: Db) => Promise<T>): Promise<T> {
  return withMaintenanceDb(url, async (db) => {
    assertUnserved(await countServerConnections(db))
    const result = await runAlone(db, MOVE_LOCK, async () => ({ value: await action(db) }))
    if (!result) throw new MaintenanceError('ya hay otra mudanza en marcha con ese PostgreSQL.')
    return result.value
  })
}

/** @throws NewerDatabaseError for a SQLite file that a newer version has migrated */
function assertKnownMigrations(db: Db): void {
  const migration = findUnknownMigration(sqliteOf(db))
  if (migration) throw new NewerDatabaseError(migration)
}

/** @throws MaintenanceError for a database that this version has not migrated, or with half of a move */
async function assertMigrated(source: Db): Promise<void> {
  const completed = await listRunMigrations(source)
  if (completed.length === 0)
    throw new MaintenanceError('la base de datos de origen está vacía: no hay nada que mover.')
  const pending = listPendingMigrations(completed)
  if (pending.length > 0)
    throw new MaintenanceError(
      `la base de datos de origen es de una versión anterior del programa (${formatPlural(pending.length, 'migración pendiente', 'migraciones pendientes')}): arranca antes el sitio con ella.`,
    )
  if (await isMoveUnfinished(source))
    throw new MaintenanceError('en el origen hay una mudanza que no acabó: acábala antes.')
}

/** Migrates an empty PostgreSQL. @throws MaintenanceError where it has tables of another program, or data to migrate */
async function prepareEmptyPostgres(target: Db): Promise<void> {
  const tables = await listTableNames(target)
  if (tables.length > 0 && !tables.includes('kysely_migration'))
    throw new MaintenanceError(`el destino tiene tablas de otro programa (${tables[0]}): tiene que estar vacío.`)
  await migrateTarget(target)
}

async function migrateTarget(target: Db): Promise<void> {
  const completed = await listRunMigrations(target)
  if (listPendingMigrations(completed).length === 0) return
  if (await isMoveUnfinished(target))
    throw new MaintenanceError('la mudanza la empezó otra versión del programa: vacía el destino y empieza de nuevo.')
  const table = completed.length > 0 ? await findTableWithRows(target) : null
  if (table !== null) throw targetNotEmptyError(target, table)
  await migrate(target)
}

async function copyAndCompare(source: Db, target: Db, { onProgress, onResume }: DatabaseMove): Promise<MovedDatabase> {
  if (await isMoveUnfinished(target)) onResume?.()
  const tables = await moveRows(source, target, onProgress)
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    digest: digestTables(tables),
  }
}

function digestTables(tables: readonly MovedTable[]): string {
  const hash = createHash('sha256')
  for (const { name, digest } of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    hash.update(`${name} ${digest}\n`)
  return hash.digest('hex')
}
