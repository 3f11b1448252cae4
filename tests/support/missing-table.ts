import { join } from 'node:path'
import { openDatabase, sqliteOf } from '#db/client.ts'

/** Runs `work` while the database has no table of dogs. */
export async function withoutDogsTable(server: { dataDir: string }, work: () => Promise<void>): Promise<void> {
  const db = openDatabase(join(server.dataDir, 'perrario.db'))
  const sqlite = sqliteOf(db)
  sqlite.pragma('legacy_alter_table = ON')
  sqlite.exec('ALTER TABLE dogs RENAME TO gone')
  try {
    await work()
  } finally {
    sqlite.exec('ALTER TABLE gone RENAME TO dogs')
    await db.destroy()
  }
}
