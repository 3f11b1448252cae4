import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, migrate, openDatabase } from '#db/client.ts'
import { getEnv } from './env.ts'

/**
 * The handle lives on globalThis because two module graphs run in this process: the sources (scripts/serve.ts opens,
 * migrates and closes it) and the bundle that Astro built (pages and endpoints use it).
 */
const shared = globalThis as { [key: symbol]: Db | undefined }
const KEY = Symbol.for('perrario.db')

/** Opens and migrates `DATA_DIR/perrario.db`; every later `getDb()` of this process answers with it. */
export async function startDatabase(): Promise<{ db: Db; migrated: string[] }> {
  const { dataDir } = getEnv()
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, 'perrario.db'))
  const migrated = await migrate(db)
  shared[KEY] = db
  return { db, migrated }
}

/** The open database. Throws before `startDatabase`. */
export function getDb(): Db {
  const db = shared[KEY]
  if (!db) throw new Error('The database is not open: startDatabase() comes first')
  return db
}

/** True once `startDatabase` has run in this process (the development server asks, having no scripts/serve.ts). */
export const isDatabaseOpen = (): boolean => shared[KEY] !== undefined

export async function stopDatabase(): Promise<void> {
  await shared[KEY]?.destroy()
  shared[KEY] = undefined
}

/** Asks the database for one row; throws what is wrong with it. */
export async function pingDatabase(): Promise<void> {
  await getDb().selectFrom('totals').select('value').limit(1).execute()
}
