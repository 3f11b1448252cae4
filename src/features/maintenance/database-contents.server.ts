import Database from 'better-sqlite3'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { countTableRows } from '#db/dialect/bulk-load.ts'
import { listTableNames } from '#db/dialect/table-layouts.ts'
import { currentMigrationName } from '#db/migration-names.ts'
import { migrations } from '#db/migrations/index.ts'
import { photoName } from '#features/photos/photos.ts'

/** The contents of a database, which a backup records and a restore compares. */
export interface DatabaseContents {
  /** Rows by table. */
  rows: Record<string, number>
  /** Names of the migrations that have run, in order. */
  migrations: string[]
}

/** Opens an existing SQLite file without running migrations. */
export const openForMaintenance = (file: string, { readonly = false } = {}): Database.Database =>
  new Database(file, { fileMustExist: true, readonly, timeout: 5000 })

/**
 * Writes a compacted snapshot of the database to `file`, in one read transaction (WAL), so writers do not wait. The snapshot
 * has no traces of deleted rows.
 */
export function snapshotTo(source: Database.Database, file: string): void {
  source.prepare('VACUUM INTO ?').run(file)
}

/** Runs SQLite's integrity_check. @returns at most `limit` faults */
export function findIntegrityFaults(sqlite: Database.Database, limit = 5): string[] {
  const lines = sqlite.pragma(`integrity_check(${limit})`) as { integrity_check: string }[]
  return lines.map((line) => line.integrity_check).filter((line) => line !== 'ok')
}

/** Counts the rows of every table and lists the migrations. */
export async function readContents(db: Db): Promise<DatabaseContents> {
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

/** The names of the unreferenced files in `photos/` that the server has still to delete. */
export async function listPhotosToDelete(db: Db): Promise<Set<string>> {
  if (!(await hasTable(db, 'photo_moves'))) return new Set()
  const rows = await db.selectFrom('photo_moves').select('name').where('action', '=', 'remove').execute()
  return new Set(rows.map(({ name }) => name))
}

/** How many photos the server has still to move or delete by now. */
export async function countDueMoves(db: Db, now: number): Promise<number> {
  if (!(await hasTable(db, 'photo_moves'))) return 0
  return countRows(db.selectFrom('photo_moves').where('due_at', '<=', now))
}

/** Whether a row references the photo. `name` is its path under `photos/`. */
export async function isPhotoReferenced(db: Db, name: string): Promise<boolean> {
  const url = `/photos/${name}`
  const image = await db.selectFrom('dog_images_all').select('url').where('url', '=', url).executeTakeFirst()
  if (image) return true
  const cover = db.selectFrom('dogs_all').select('id').where('id', '=', name.slice(0, 36)).where('photo_url', '=', url)
  return (await cover.executeTakeFirst()) !== undefined
}
