import { sql } from 'kysely'
import type { Db } from './client.ts'

/** The tables whose rows leave with a quarantined dog, and their columns in quarantine. */
const TABLES = {
  comments: { held: 'held_comments', columns: ['id', 'dog_id', 'user_id', 'content', 'created_at'] },
  dog_likes: { held: 'held_likes', columns: ['id', 'dog_id', 'user_id', 'created_at'] },
  ownership_requests: { held: 'held_requests', columns: ['dog_id', 'user_id', 'created_at', 'declined_at'] },
} as const

export type MovedTable = keyof typeof TABLES

/** Moves at most `limit` rows of the dog to quarantine. @returns how many */
export const quarantineRows = (trx: Db, table: MovedTable, dogId: string, limit: number): Promise<number> =>
  moveRows(trx, table, TABLES[table].held, dogId, limit)

/**
 * Moves at most `limit` rows of the dog back from quarantine. A row that was written anew meanwhile stays as it is.
 * @returns how many
 */
export const restoreRows = (trx: Db, table: MovedTable, dogId: string, limit: number): Promise<number> =>
  moveRows(trx, TABLES[table].held, table, dogId, limit)

async function moveRows(trx: Db, from: string, to: string, dogId: string, limit: number): Promise<number> {
  // The two tables of a pair have the same columns.
  const [source, target] = [from as 'comments', to as 'comments']
  const chosen = trx
    .selectFrom(source)
    .select(sql<number>`rowid`.as('row'))
    .where('dog_id', '=', dogId)
    .limit(limit)
  const rows = await trx
    .deleteFrom(source)
    .where(sql<number>`rowid`, 'in', chosen)
    .returningAll()
    .execute()
  if (rows.length > 0)
    await trx
      .insertInto(target)
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return rows.length
}

/** Copies the dog's rows to quarantine: those that came in after the last batch. The dog's own deletion deletes them. */
export async function copyRowsToQuarantine(trx: Db, table: MovedTable, dogId: string): Promise<void> {
  const { held, columns } = TABLES[table]
  const list = sql.join(columns.map((column) => sql.ref(column)))
  await sql`INSERT OR IGNORE INTO ${sql.table(held)} (${list})
    SELECT ${list} FROM ${sql.table(table)} WHERE dog_id = ${dogId}`.execute(trx)
}

/** Deletes at most `limit` quarantined rows, of one dog or of one member. @returns how many */
export async function deleteQuarantinedRows(
  trx: Db,
  table: MovedTable,
  of: { dogId: string } | { userId: string },
  limit: number,
): Promise<number> {
  const held = TABLES[table].held as 'held_comments'
  const chosen = trx
    .selectFrom(held)
    .select(sql<number>`rowid`.as('row'))
    .limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom(held)
    .where(
      sql<number>`rowid`,
      'in',
      'dogId' in of ? chosen.where('dog_id', '=', of.dogId) : chosen.where('user_id', '=', of.userId),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** How many rows of the dog are in quarantine. */
export async function countQuarantinedRows(db: Db, table: MovedTable, dogId: string): Promise<number> {
  const { count } = await db
    .selectFrom(TABLES[table].held as 'held_comments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dog_id', '=', dogId)
    .executeTakeFirstOrThrow()
  return count
}

export const MOVED_TABLES = Object.keys(TABLES) as MovedTable[]
