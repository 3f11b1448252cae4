import { Migrator } from 'kysely/migration'
import { type Trx as Db, openDatabase } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'

/** An empty database as programs before that migration left it; `migrate` runs the rest. */
export async function openDatabaseBefore(migration: string): Promise<Db> {
  const db = openDatabase(':memory:')
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < migration))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => earlier } }).migrateToLatest()
  if (error) throw error
  return db
}
