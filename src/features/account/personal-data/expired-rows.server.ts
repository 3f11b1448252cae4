import { type RawBuilder, sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { Rule } from './entry.ts'
import { columnKinds, PERSONAL_DATA, type TableName, TABLES } from './personal-data.server.ts'

/** Rows deleted in one transaction, which bounds how long writers wait. */
const ROWS_PER_BATCH = 200

const hasExpired = (rule: Rule, now: number): RawBuilder<boolean> =>
  sql.join(
    Object.entries(rule).map(([column, bound]) =>
      bound === null
        ? sql`${sql.ref(column)} IS NULL`
        : sql`${sql.ref(column)} <= ${typeof bound === 'number' ? now - bound : bound(now)}`,
    ),
    sql` AND `,
  )

/** Deletes the rows whose time is over, and clears what is kept for less long than its row. @returns rows deleted */
export async function deleteExpiredRows(db: Db, now: number, tables: readonly TableName[] = TABLES): Promise<number> {
  let deleted = 0
  for (const table of tables) {
    const { until = [], forgets = {} } = PERSONAL_DATA[table]
    const name = sql.table(table)
    for (const [column, rule] of Object.entries(forgets))
      await transact(db, (trx) =>
        sql`UPDATE ${name} SET ${sql.ref(column)} = NULL
          WHERE ${sql.ref(column)} IS NOT NULL AND ${hasExpired(rule, now)}`.execute(trx),
      )
    const hasIds = columnKinds(table).some(([column]) => column === 'id')
    for (const rule of until)
      await runInBatches(db, ROWS_PER_BATCH, async (trx, limit) => {
        const expired = hasExpired(rule, now)
        const chosen = hasIds ? sql`id IN (SELECT id FROM ${name} WHERE ${expired} LIMIT ${limit})` : expired
        const { numAffectedRows = 0n } = await sql`DELETE FROM ${name} WHERE ${chosen}`.execute(trx)
        deleted += Number(numAffectedRows)
        return hasIds ? Number(numAffectedRows) : 0
      })
  }
  return deleted
}
