import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Trx as Db, openDatabase, sqliteOf } from '#db/client.ts'
import { restrictUmask } from '#server/security/file-permissions.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { photoName } from '#features/photos/photos.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { dog, type DogSeed, member, seed } from '#tests/support/seed.ts'

// Like the server and the operator's commands.
restrictUmask()

/** A data directory as a server leaves it, with its database open. */
export interface DataDir {
  dir: string
  backupDir: string
  db: Db
  /** Closes the database, as when the server stops. */
  close: () => Promise<void>
  /** Opens the database again. */
  open: () => Promise<void>
  dispose: () => Promise<void>
}

export async function makeDataDir(): Promise<DataDir> {
  const root = mkdtempSync(join(tmpdir(), 'perrario-maintenance-'))
  const dir = join(root, 'var')
  mkdirSync(join(dir, 'photos'), { recursive: true })
  const file = join(dir, 'perrario.db')
  const data: DataDir = {
    dir,
    backupDir: join(root, 'copias'),
    db: await openMigratedDatabase(file),
    close: () => data.db.destroy(),
    open: async () => {
      data.db = openDatabase(file)
    },
    dispose: async () => {
      await data.db.destroy().catch(() => {})
      rmSync(root, { recursive: true, force: true })
    },
  }
  return data
}

let shade = 0

/** A dog of a new member, with its photos on the disk. */
export async function addDogWithPhotos(data: DataDir, photos = 1, fields: DogSeed = {}): Promise<Dog> {
  const [, added] = await seed(data.db, member(), dog({ photos, ...fields }))
  for (const file of photoFiles(data, added)) writeFileSync(file, await photo((shade = (shade + 7) % 250), 40, 30))
  return added
}

/** The files of a dog's photos. */
export const photoFiles = ({ dir }: { dir: string }, { images }: Dog): string[] =>
  images.map(({ url }) => join(dir, 'photos', photoName(url)!))

/** Counts the rows of every table. */
export async function countRows(db: Db): Promise<Record<string, number>> {
  // Kysely closes only a database that it has queried.
  await db.selectFrom('totals').selectAll().execute()
  const sqlite = sqliteOf(db)
  const tables = sqlite.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[]
  return Object.fromEntries(
    tables.toSorted().map((name) => [name, sqlite.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number]),
  )
}

/** The sha256 of every file under the folder, by path. */
export function hashFiles(folder: string): Record<string, string> {
  const hashes: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true }).map(String).toSorted())
    if (statSync(join(folder, name)).isFile())
      hashes[name] = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
  return hashes
}

/** Sets a file's modification time to `hours` ago. */
export function ageFile(file: string, hours: number): void {
  const modifiedAt = Date.now() / 1000 - hours * 3600
  utimesSync(file, modifiedAt, modifiedAt)
}
