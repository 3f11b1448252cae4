import Database from 'better-sqlite3'
import { listExecutedMigrations } from '#db/migration-names.ts'
import type { TargetKind } from '#db/schema.ts'
import { photosOfQuarantined } from '#features/dogs/quarantine.server.ts'
import { photoName } from '#features/photos/photos.ts'

/** The contents of a database, which a backup records and a restore compares. */
export interface DatabaseContents {
  /** Rows by table. */
  rows: Record<string, number>
  /** Names of the migrations that have run, in order. */
  migrations: string[]
}

/** Opens an existing database without running migrations. */
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

const hasTable = (sqlite: Database.Database, table: string): boolean =>
  sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined

const REFERENCED_SQL = 'SELECT url FROM dog_images UNION SELECT photo_url FROM dogs'

/** The folder of quarantined photos, under `photos/` (photos/files.server.ts). */
const QUARANTINE_PREFIX = 'held/'

/** The public path of a quarantined photo, and the reverse: a crash between rows and file leaves the file there. */
export const otherPhotoPath = (name: string): string =>
  name.startsWith(QUARANTINE_PREFIX) ? name.slice(QUARANTINE_PREFIX.length) : QUARANTINE_PREFIX + name

/** The photos that rows reference, by their paths under `photos/`. */
export function listReferencedPhotos(sqlite: Database.Database): Set<string> {
  const names = new Set<string>()
  for (const url of sqlite.prepare(REFERENCED_SQL).pluck().iterate() as Iterable<string>) {
    const name = photoName(url)
    if (name) names.add(name)
  }
  for (const name of listQuarantinedPaths(sqlite)) names.add(name)
  return names
}

/** The photos of quarantined items (features/moderation): none in a database from before quarantine. */
function listQuarantinedPaths(sqlite: Database.Database, dogId?: string): string[] {
  if (!hasTable(sqlite, 'held')) return []
  return listQuarantinedUrls(sqlite, dogId)
    .map(photoName)
    .filter((name) => name !== null)
    .map((name) => QUARANTINE_PREFIX + name)
}

function listQuarantinedUrls(sqlite: Database.Database, dogId?: string): string[] {
  if (hasTable(sqlite, 'held_photos')) {
    const urls = sqlite.prepare(
      `SELECT p.url FROM held_photos AS p JOIN held AS h ON h.kind = p.kind AND h.thing_id = p.thing_id
        ${dogId ? 'WHERE h.dog_id = ?' : ''}`,
    )
    return (dogId ? urls.pluck().all(dogId) : urls.pluck().all()) as string[]
  }
  // A backup from before that table.
  const rows = sqlite.prepare(
    `SELECT kind, snapshot FROM held WHERE kind IN ('dog', 'photo') ${dogId ? 'AND dog_id = ?' : ''}`,
  )
  const items = (dogId ? rows.all(dogId) : rows.all()) as { kind: TargetKind; snapshot: string }[]
  return items.flatMap(photosOfQuarantined)
}

/** The names of the unreferenced files in `photos/` that the server has still to delete. */
export function listPhotosToDelete(sqlite: Database.Database): Set<string> {
  if (!hasTable(sqlite, 'photo_moves')) return new Set()
  return new Set(sqlite.prepare(`SELECT name FROM photo_moves WHERE action = 'remove'`).pluck().all() as string[])
}

/** How many photos the server has still to move or delete by now. */
export function countDueMoves(sqlite: Database.Database, now: number): number {
  if (!hasTable(sqlite, 'photo_moves')) return 0
  return sqlite.prepare('SELECT count(*) FROM photo_moves WHERE due_at <= ?').pluck().get(now) as number
}

/** Whether a row references the photo. `name` is its path under `photos/`. */
export function isPhotoReferenced(sqlite: Database.Database, name: string): boolean {
  if (name.startsWith(QUARANTINE_PREFIX))
    return listQuarantinedPaths(sqlite, name.slice(QUARANTINE_PREFIX.length).slice(0, 36)).includes(name)
  const url = `/photos/${name}`
  const sql =
    'SELECT 1 FROM dog_images WHERE url = ? UNION ALL SELECT 1 FROM dogs WHERE id = ? AND photo_url = ? LIMIT 1'
  return sqlite.prepare(sql).get(url, name.slice(0, 36), url) !== undefined
}
