import { sql } from 'kysely'
import type { Db } from '../../client.ts'

/** Runs `action` on one connection without its limit for a statement: a migration, or waiting for another node's, may take longer. */
export async function withoutStatementTimeout<T>(db: Db, action: (connection: Db) => Promise<T>): Promise<T> {
  return await db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection)
    try {
      return await action(connection)
    } finally {
      await sql`RESET statement_timeout`.execute(connection)
    }
  })
}
