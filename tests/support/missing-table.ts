import { sql } from 'kysely'
import { VIEWS } from '#db/content.ts'
import { openServerDatabase, type ServerData } from './server-database.ts'

/** Takes the dogs away from a running server while `use` runs: what reads them fails. */
export async function withoutDogsTable(server: ServerData, use: () => Promise<void>): Promise<void> {
  const db = openServerDatabase(server)
  await sql`DROP VIEW dogs`.execute(db)
  try {
    await use()
  } finally {
    await sql.raw(`CREATE VIEW dogs AS SELECT * FROM dogs_all WHERE ${VIEWS.dogs}`).execute(db)
    await db.destroy()
  }
}
