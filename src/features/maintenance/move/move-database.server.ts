import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { isBusyError, runAlone, withoutWriters } from '#db/dialect/command-locks.ts'
import { listTableNames } from '#db/dialect/table-layouts.ts'
import { listKnownMigrations, listPendingMigrations } from '../database-contents.server.ts'
import * as files from '../files.server.ts'
import { withLockedData } from '../lock.server.ts'
import { formatPlural, MaintenanceError } from '../maintenance.ts'
import { withUnservedPostgres } from '../postgres.server.ts'
import {
  findTableWithRows,
  isMoveUnfinished,
  type MoveProgress,
  moveRows,
  targetNotEmptyError,
} from './move-rows.server.ts'

/** The file in DATA_DIR that a move from PostgreSQL fills. It gets the database's name once it is complete. */
export const MOVING_FILE = `${files.DATABASE_FILE}.moving`

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
  withLockedMove(move.dataDir, 'la base de datos', async () => {
    const file = join(move.dataDir, files.DATABASE_FILE)
    if (!(await files.isThere(file)))
      throw new MaintenanceError(`no hay base de datos en ${move.dataDir}: no hay nada que mover.`)
    if (!(await files.isDatabase(file))) throw new MaintenanceError(`${file} no es una base de datos.`)
    return withFile(file, async (source) => {
      await assertMigrated(source)
      return withPostgres(move.url, async (target) => {
        const tables = await listTableNames(target)
        if (tables.length > 0 && !tables.includes('kysely_migration'))
          throw new MaintenanceError(`el destino tiene tablas de otro programa (${tables[0]}): tiene que estar vacío.`)
        await migrateTarget(target)
        // SQLite has one transaction per handle, and the copy reads outside of this one.
        return withFile(file, (guard) => withoutWriters(guard, () => copyAndCompare(source, target, move)))
      })
    })
  })

/**
 * Copies a PostgreSQL to the database's file of `dataDir`, which must not exist, and compares every table. The PostgreSQL stays as it is.
 * @throws the same
 */
export const moveFromPostgres = (move: DatabaseMove): Promise<MovedDatabase> =>
  withLockedMove(move.dataDir, 'la base de datos', async () => {
    const file = join(move.dataDir, files.DATABASE_FILE)
    if (await files.isThere(file))
      throw new MaintenanceError(`ya hay una base de datos en ${move.dataDir}: aparta antes ${files.DATABASE_FILE}.`)
    // SQLite would replay an old WAL into a new file.
    for (const name of [`${files.DATABASE_FILE}-wal`, `${files.DATABASE_FILE}-shm`])
      if (await files.isThere(join(move.dataDir, name)))
        throw new MaintenanceError(`quedan restos de otra base de datos en ${move.dataDir}: aparta antes ${name}.`)
    return withPostgres(move.url, async (source) => {
      await assertMigrated(source)
      const movingFile = join(move.dataDir, MOVING_FILE)
      const moved = await withFile(movingFile, async (target) => {
        await migrateTarget(target)
        const result = await withoutWriters(source, () => copyAndCompare(source, target, move))
        sqliteOf(target).pragma('wal_checkpoint(TRUNCATE)')
        return result
      })
      await rename(movingFile, file)
      await files.syncFolder(move.dataDir)
      return moved
    })
  })

/**
 * Runs a move on data that no server uses, and explains what cuts it.
 * @throws MaintenanceError while a server uses the folder, where it cannot be used, or where the move was cut
 */
export const withLockedMove = <T>(
  dataDir: string,
  what: 'la base de datos' | 'las fotos',
  action: () => Promise<T>,
): Promise<T> =>
  withLockedData(dataDir, `mover ${what}`, () => {
    const move = () =>
      action().catch((error: unknown) => {
        if (!isBusyError(error)) throw error
        throw new MaintenanceError(`alguien está escribiendo en el origen: para el sitio antes de mover ${what}.`)
      })
    const paths = files.databasePaths(join(dataDir, MOVING_FILE))
    return files.explaining('la mudanza se ha cortado', paths, move, ' La misma orden sigue donde estaba.')
  })

async function withFile<T>(file: string, action: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(file)
  return action(db).finally(() => db.destroy())
}

/** @throws MaintenanceError while a server, or another move, uses the database */
const withPostgres = <T>(url: string, action: (db: Db) => Promise<T>): Promise<T> =>
  withUnservedPostgres(url, async (db) => {
    const result = await runAlone(db, MOVE_LOCK, async () => ({ value: await action(db) }))
    if (!result) throw new MaintenanceError('ya hay otra mudanza en marcha con ese PostgreSQL.')
    return result.value
  })

/** @throws MaintenanceError for a database that this version has not migrated, or with half of a move */
async function assertMigrated(source: Db): Promise<void> {
  const completed = await listKnownMigrations(source)
  if (completed.length === 0)
    throw new MaintenanceError('la base de datos de origen está vacía: no hay nada que mover.')
  const pending = listPendingMigrations(completed).length
  if (pending > 0)
    throw new MaintenanceError(
      `la base de datos de origen es de una versión anterior del programa (${formatPlural(pending, 'migración pendiente', 'migraciones pendientes')}): arranca antes el sitio con ella.`,
    )
  if (await isMoveUnfinished(source))
    throw new MaintenanceError('en el origen hay una mudanza que no acabó: acábala antes.')
}

/** Migrates an empty target. @throws MaintenanceError where it has data to migrate */
async function migrateTarget(target: Db): Promise<void> {
  const completed = await listKnownMigrations(target)
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
  const lines = tables.map(({ name, digest }) => `${name} ${digest}\n`).toSorted()
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    digest: files.hashBytes(lines.join('')),
  }
}
