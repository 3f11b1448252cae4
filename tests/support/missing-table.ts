import { sql } from 'kysely'
import { dialectOf } from '#db/dialect/dialect.ts'
import { openServerDatabase, type ServerData } from '#tests/support/server-database.ts'

/** Runs `work` while the database has no table of dogs. */
export async function withoutDogsTable(server: ServerData, work: () => Promise<void>): Promise<void> {
  const db = openServerDatabase(server)
  if (dialectOf(db) === 'sqlite') await sql`PRAGMA legacy_alter_table = ON`.execute(db)
  await sql`ALTER TABLE dogs RENAME TO gone`.execute(db)
  try {
    await work()
  } finally {
    await sql`ALTER TABLE gone RENAME TO dogs`.execute(db)
    await db.destroy()
  }
}
