import { sql } from 'kysely'
import type { Db } from './client.ts'

/** The tables whose rows leave with a quarantined dog, and their columns in quarantine. */
const TABLES = {
  comments: { held: 'held_comments', columns: ['id', 'dog_id', 'user_id', 'content', 'created_at'] },
  dog_likes: { held: 'held_likes', columns: ['id', 'dog_id', 'user_id', 'created_at'] },
  ownership_requests: { held: 'held_requests', columns: ['dog_id', 'user_id', 'created_at', 'declined_at'] },
} as const

export type MovedTable = keyof typeof TABLES

/**
 * A table and its quarantine, typed as `comments`: the queries below use only `rowid`, `dog_id` and `user_id`, which all have, or
 * move whole rows between two tables with the same columns.
 */
function pairOf(table: MovedTable): { open: 'comments'; held: 'comments' } {
  const [open, held]: string[] = [table, TABLES[table].held]
  return { open: open as 'comments', held: held as 'comments' }
}

/** Moves at most `limit` rows of the dog to quarantine. @returns how many */
export const quarantineRows = (trx: Db, table: MovedTable, dogId: string, limit: number): Promise<number> =>
  moveRows(trx, pairOf(table).open, pairOf(table).held, dogId, limit)

/**
 * Moves at most `limit` rows of the dog back from quarantine. A row that exists in its table again stays as it is.
 * @returns how many
 */
export const restoreRows = (trx: Db, table: MovedTable, dogId: string, limit: number): Promise<number> =>
  moveRows(trx, pairOf(table).held, pairOf(table).open, dogId, limit)

async function moveRows(
  trx: Db,
  source: 'comments',
  target: 'comments',
  dogId: string,
  limit: number,
): Promise<number> {
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
  const { held } = pairOf(table)
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
    .selectFrom(pairOf(table).held)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dog_id', '=', dogId)
    .executeTakeFirstOrThrow()
  return count
}

export const MOVED_TABLES = Object.keys(TABLES) as MovedTable[]
