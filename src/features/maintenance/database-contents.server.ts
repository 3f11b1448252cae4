import Database from 'better-sqlite3'
import { listExecutedMigrations } from '#db/migration-names.ts'
import type { TargetKind } from '#db/schema.ts'
import { photosOfQuarantined } from '#features/dogs/quarantine.server.ts'
import { photoName } from '#features/photos/photos.ts'

/** What a database holds, as a backup's record says it and a restore compares. */
export interface DatabaseContents {
  /** Rows by table. */
  rows: Record<string, number>
  /** Migrations that made it, in order. */
  migrations: string[]
}

/** Opens a database that is there, for care: nothing of it is migrated. */
export const openForMaintenance = (file: string, { readonly = false } = {}): Database.Database =>
  new Database(file, { fileMustExist: true, readonly, timeout: 5000 })

/**
 * Writes the database as it is at one moment to `file`, compacted, while others read and write it: one read
 * transaction (WAL), so writers wait for nothing. Rows deleted long ago leave no trace in it.
 */
export function snapshotTo(source: Database.Database, file: string): void {
  source.prepare('VACUUM INTO ?').run(file)
}

/** What integrity_check says, at most `limit` lines; none when all is well. */
export function findIntegrityFaults(sqlite: Database.Database, limit = 5): string[] {
  const lines = sqlite.pragma(`integrity_check(${limit})`) as { integrity_check: string }[]
  return lines.map((line) => line.integrity_check).filter((line) => line !== 'ok')
}

/** Every table with its rows, and the migrations. */
export function readContents(sqlite: Database.Database): DatabaseContents {
  const tables = sqlite
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all() as string[]
  const rows = Object.fromEntries(
    tables.map((table) => [table, sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number]),
  )
  return { rows, migrations: listExecutedMigrations(sqlite) }
}

const REFERENCED_SQL = 'SELECT url FROM dog_images UNION SELECT photo_url FROM dogs'

/** Where photos lie, under `photos/`, that are out of sight (photos/files.server.ts). */
const QUARANTINE_PREFIX = 'held/'

/** The other place where the photo of a row may still lie: a crash between rows and file leaves it there. */
export const otherPhotoPath = (name: string): string =>
  name.startsWith(QUARANTINE_PREFIX) ? name.slice(QUARANTINE_PREFIX.length) : QUARANTINE_PREFIX + name

/** The files in `photos/` that rows name, by their path from there, each once. */
export function listReferencedPhotos(sqlite: Database.Database): Set<string> {
  const names = new Set<string>()
  for (const url of sqlite.prepare(REFERENCED_SQL).pluck().iterate() as Iterable<string>) {
    const name = photoName(url)
    if (name) names.add(name)
  }
  for (const name of listQuarantinedPhotos(sqlite)) names.add(name)
  return names
}

/** Photos of what is out of sight (features/moderation): none in a database from before there was such a thing. */
function listQuarantinedPhotos(sqlite: Database.Database, dogId?: string): string[] {
  const known = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'held'`).get()
  if (!known) return []
  const rows = sqlite.prepare(
    `SELECT kind, snapshot FROM held WHERE kind IN ('dog', 'photo') ${dogId ? 'AND dog_id = ?' : ''}`,
  )
  const found = (dogId ? rows.all(dogId) : rows.all()) as { kind: TargetKind; snapshot: string }[]
  return found
    .flatMap(photosOfQuarantined)
    .map(photoName)
    .filter((name) => name !== null)
    .map((name) => QUARANTINE_PREFIX + name)
}

/** The files in `photos/` that are to be removed since nothing names them any more, by their names. */
export function listPhotosToDelete(sqlite: Database.Database): Set<string> {
  const known = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'photo_moves'`).get()
  if (!known) return new Set()
  return new Set(sqlite.prepare(`SELECT name FROM photo_moves WHERE action = 'remove'`).pluck().all() as string[])
}

/** True while some row names the photo, by its path from `photos/`. */
export function isPhotoReferenced(sqlite: Database.Database, name: string): boolean {
  if (name.startsWith(QUARANTINE_PREFIX))
    return listQuarantinedPhotos(sqlite, name.slice(QUARANTINE_PREFIX.length).slice(0, 36)).includes(name)
  const url = `/photos/${name}`
  const asks =
    'SELECT 1 FROM dog_images WHERE url = ? UNION ALL SELECT 1 FROM dogs WHERE id = ? AND photo_url = ? LIMIT 1'
  return sqlite.prepare(asks).get(url, name.slice(0, 36), url) !== undefined
}
