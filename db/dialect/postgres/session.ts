import { sql } from 'kysely'
import type { Db } from '../../client.ts'

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** Runs `action` on one connection without its limits for statements and locks: a migration, or waiting for another node's, may take longer. */
export async function withoutTimeouts<T>(db: Db, action: (connection: Db) => Promise<T>): Promise<T> {
  return await db.connection().execute(async (connection) => {
    for (const name of LIMITS) await sql`SET ${sql.raw(name)} = 0`.execute(connection)
    try {
      return await action(connection)
    } finally {
      for (const name of LIMITS) await sql`RESET ${sql.raw(name)}`.execute(connection)
    }
  })
}
