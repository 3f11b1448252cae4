import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Trx as Db, migrate, openDatabase, sqliteOf } from '#db/client.ts'

const root = resolve(import.meta.dirname, '../..')

/** Changes with everything that makes a new database. */
function hashSchemaSources(): string {
  const sum = createHash('sha256')
  for (const name of readdirSync(join(root, 'db'), { recursive: true }).map(String).sort())
    if (name.endsWith('.ts')) sum.update(name).update(readFileSync(join(root, 'db', name)))
  return sum.digest('hex').slice(0, 16)
}

/**
 * The bytes of a migrated, empty database. Every test file and every test server begins with one: the migrations take half
 * a second of processor time, so they run once for each state of `db/` and the result is stored in `.cache`.
 */
export async function migratedSnapshot(): Promise<Buffer> {
  const file = join(root, '.cache/test-database', `${hashSchemaSources()}.db`)
  if (existsSync(file)) return readFileSync(file)
  const db = openDatabase(':memory:')
  await migrate(db)
  const snapshot = sqliteOf(db).serialize()
  await db.destroy()
  mkdirSync(dirname(file), { recursive: true })
  // Several files run at once: the name appears with the whole file behind it.
  const part = `${file}.${process.pid}`
  writeFileSync(part, snapshot)
  renameSync(part, file)
  return snapshot
}

/** Opens a new file with a migrated, empty database, as a program that has migrated it. */
export async function openMigratedDatabase(file: string): Promise<Db> {
  writeFileSync(file, await migratedSnapshot(), { mode: 0o600 })
  return openDatabase(file)
}
