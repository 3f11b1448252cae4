import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { columnsOf, type TableName, TABLES } from './personal-data.server.ts'

/**
 * Deletes the member's rows and takes their id out of others'. Call it inside a transaction.
 * @param tables all of them: the account with everything that only refers to it
 */
export async function eraseRows(trx: Trx, userId: string, tables: readonly TableName[] = TABLES): Promise<void> {
  for (const table of tables.toReversed()) {
    for (const column of columnsOf(table, 'owner'))
      await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${userId}`.execute(trx)
    for (const column of columnsOf(table, 'named'))
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = NULL WHERE ${sql.ref(column)} = ${userId}`.execute(
        trx,
      )
  }
}
