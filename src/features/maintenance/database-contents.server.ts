import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { type Db, toKysely } from '#db/client.ts'
import { countTableRows } from '#db/dialect/bulk-load.ts'
import { listTableNames } from '#db/dialect/table-layouts.ts'
import { NewerDatabaseError } from '#db/errors.ts'
import { currentMigrationName, isKnownMigration } from '#db/migration-names.ts'
import { migrations } from '#db/migrations/index.ts'
import { photoName } from '#features/photos/photos.ts'
import { PHOTO_FILES } from '#features/photos/planned-moves.server.ts'
import { DATABASE_FILE, isDatabase, isThere } from './files.server.ts'
import { MaintenanceError } from './maintenance.ts'
import { connectForMaintenance } from './postgres.server.ts'

/** Where a site's data is. */
export interface DataLocation {
  dataDir: string
  /** Where the database is a PostgreSQL; by default it is the file in `dataDir`. */
  databaseUrl?: string | undefined
}

/** Opens an existing SQLite file without running migrations. */
export const openForMaintenance = (file: string, { readonly = false } = {}): Database.Database =>
  new Database(file, { fileMustExist: true, readonly, timeout: 5000 })

/**
 * Opens a site's database for `action`, without running migrations, and closes it.
 * @param action is also given the SQLite file's handle; null for a PostgreSQL
 * @throws MaintenanceError where there is no file, or the PostgreSQL cannot be used; an error SQLITE_… for a file that is damaged
 */
export async function withDatabase<T>(
  { dataDir, databaseUrl }: DataLocation,
  action: (db: Db, file: Database.Database | null) => Promise<T>,
): Promise<T> {
  const file = join(dataDir, DATABASE_FILE)
  if (!databaseUrl && !(await isThere(file)))
    throw new MaintenanceError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  // Opened, a file that is no database would lose the log beside it.
  if (!databaseUrl && !(await isDatabase(file)))
    throw Object.assign(new Error(`${file} is no database`), { code: 'SQLITE_NOTADB' })
  const sqlite = databaseUrl ? null : openForMaintenance(file)
  const db = sqlite ? toKysely(sqlite) : await connectForMaintenance(databaseUrl!)
  try {
    return await action(db, sqlite)
  } finally {
    if (sqlite) sqlite.close()
    else await db.destroy()
  }
}

/** Runs SQLite's integrity_check. @returns at most `limit` faults */
export function findIntegrityFaults(sqlite: Database.Database, limit = 5): string[] {
  const lines = sqlite.pragma(`integrity_check(${limit})`) as { integrity_check: string }[]
  return lines.map((line) => line.integrity_check).filter((line) => line !== 'ok')
}

/** The rows of every table and the migrations that ran, which a backup records and a restore compares. */
export async function readContents(db: Db): Promise<{ rows: Record<string, number>; migrations: string[] }> {
  const rows: Record<string, number> = {}
  for (const table of await listTableNames(db)) rows[table] = await countTableRows(db, table)
  return { rows, migrations: await listRunMigrations(db) }
}

const hasTable = async (db: Db, table: string): Promise<boolean> => (await listTableNames(db)).includes(table)

/** The migrations that ran in a database, in order and by today's names. Empty where none ever did. */
export async function listRunMigrations(db: Db): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => currentMigrationName(name))
}

/** The same of a database that this program knows. @throws NewerDatabaseError for one of a newer version */
export async function listKnownMigrations(db: Db): Promise<string[]> {
  const completed = await listRunMigrations(db)
  const unknown = completed.find((name) => !isKnownMigration(name))
  if (unknown) throw new NewerDatabaseError(unknown)
  return completed
}

/** The migrations of this program that are not among those that ran. */
export const listPendingMigrations = (completed: readonly string[]): string[] =>
  Object.keys(migrations).filter((name) => !completed.includes(name))

/** Where versions before had the files of hidden photos, under `photos/` (photos/files.server.ts). */
const FORMER_PREFIX = 'held/'

/** The path of a photo from before its file was returned, and the reverse. */
export const otherPhotoPath = (name: string): string =>
  name.startsWith(FORMER_PREFIX) ? name.slice(FORMER_PREFIX.length) : FORMER_PREFIX + name

/** The photos that rows reference, by their paths under `photos/`; also those of a database of a version before. */
export async function listReferencedPhotos(db: Db): Promise<Set<string>> {
  const tables = await listTableNames(db)
  const sources = ['dog_images_all.url', 'dogs_all.photo_url', 'dog_images.url', 'dogs.photo_url', 'held_photos.url']
  const names = new Set<string>()
  for (const [table, column] of sources.map((source) => source.split('.') as [string, string])) {
    if (!tables.includes(table)) continue
    const { rows } = await sql<{ url: string }>`SELECT ${sql.ref(column)} AS url FROM ${sql.table(table)}`.execute(db)
    for (const { url } of rows) {
      const name = photoName(url)
      if (name) names.add(name)
    }
  }
  return names
}

interface PhotoMove {
  name: string
  action: string
  due_at: number
}

/** What the server has still to do with files in `photos/`, and when (ms): `remove` is of those that no row references. */
export async function listPhotoMoves(db: Db): Promise<PhotoMove[]> {
  // Of a database that has not been migrated yet.
  if (await hasTable(db, 'photo_moves'))
    return (await sql<PhotoMove>`SELECT name, action, due_at FROM photo_moves`.execute(db)).rows
  if (!(await hasTable(db, 'jobs'))) return []
  const jobs = db.selectFrom('jobs').select(['key', 'payload', 'run_at']).where('topic', '=', PHOTO_FILES)
  const rows = await jobs.execute()
  return rows.map(({ key, payload, run_at }) => ({ name: key, action: JSON.parse(payload) as string, due_at: run_at }))
}

/** Whether a row references the photo. `name` is its path under `photos/`. */
export async function isPhotoReferenced(db: Db, name: string): Promise<boolean> {
  const url = `/photos/${name}`
  const image = await db.selectFrom('dog_images_all').select('url').where('url', '=', url).executeTakeFirst()
  if (image) return true
  const cover = db.selectFrom('dogs_all').select('id').where('id', '=', name.slice(0, 36)).where('photo_url', '=', url)
  return (await cover.executeTakeFirst()) !== undefined
}
