import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from './client.ts'
import type { CommentsTable, Schema } from './schema.ts'

/** The tables whose rows leave with a quarantined dog, their primary keys, and their columns in quarantine. */
const TABLES = {
  comments_all: {
    held: 'held_comments',
    key: ['id'],
    columns: ['id', 'dog_id', 'user_id', 'content', 'created_at', 'hidden'],
  },
  dog_likes: { held: 'held_likes', key: ['id'], columns: ['id', 'dog_id', 'user_id', 'created_at'] },
  ownership_requests: {
    held: 'held_requests',
    key: ['dog_id', 'user_id'],
    columns: ['dog_id', 'user_id', 'created_at', 'declined_at'],
  },
} as const

export type MovedTable = keyof typeof TABLES

/**
 * A table and its quarantine, typed as `comments_all`: the queries below use only the key, `dog_id` and `user_id`, which all have, or
 * move whole rows between two tables with the same columns.
 */
interface TablePair {
  open: 'comments_all'
  held: 'comments_all'
  key: readonly 'id'[]
  columns: readonly (keyof CommentsTable)[]
}

const pairOf = (table: MovedTable): TablePair => ({ open: table, ...TABLES[table] }) as unknown as TablePair

/** The columns of a key as one value, for a comparison with a query that selects them. */
const keyValue = (key: TablePair['key']) => sql<string>`(${sql.join(key.map((column) => sql.ref(column)))})`

/** Moves at most `limit` rows of the dog to quarantine. @returns how many */
export const quarantineRows = (trx: Trx, table: MovedTable, dogId: string, limit: number): Promise<number> =>
  moveRows(trx, pairOf(table), ['open', 'held'], dogId, limit)

/**
 * Moves at most `limit` rows of the dog back from quarantine. A row that exists in its table again stays as it is.
 * @returns how many
 */
export const restoreRows = (trx: Trx, table: MovedTable, dogId: string, limit: number): Promise<number> =>
  moveRows(trx, pairOf(table), ['held', 'open'], dogId, limit)

async function moveRows(
  trx: Trx,
  pair: TablePair,
  [from, to]: readonly ['open' | 'held', 'open' | 'held'],
  dogId: string,
  limit: number,
): Promise<number> {
  const chosen = trx.selectFrom(pair[from]).select(pair.key).where('dog_id', '=', dogId).limit(limit)
  const rows = await trx.deleteFrom(pair[from]).where(keyValue(pair.key), 'in', chosen).returningAll().execute()
  if (rows.length > 0)
    await trx
      .insertInto(pair[to])
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return rows.length
}

/** Copies the dog's rows to quarantine: those that came in after the last batch. The dog's own deletion deletes them. */
export async function copyRowsToQuarantine(trx: Trx, table: MovedTable, dogId: string): Promise<void> {
  const { open, held, columns } = pairOf(table)
  await trx
    .insertInto(held)
    .columns(columns)
    .expression((eb) => eb.selectFrom(open).select(columns).where('dog_id', '=', dogId))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes at most `limit` quarantined rows, of one dog or of one member. @returns how many */
export async function deleteQuarantinedRows(
  trx: Trx,
  table: MovedTable,
  of: { dogId: string } | { userId: string },
  limit: number,
): Promise<number> {
  const { held, key } = pairOf(table)
  const chosen = trx.selectFrom(held).select(key).limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom(held)
    .where(
      keyValue(key),
      'in',
      'dogId' in of ? chosen.where('dog_id', '=', of.dogId) : chosen.where('user_id', '=', of.userId),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The same for a member's rows, which are returned: all tables have the columns of their public ones. */
export async function takeQuarantinedRows<T extends MovedTable>(
  trx: Trx,
  table: T,
  userId: string,
  limit: number,
): Promise<Selectable<Schema[T]>[]> {
  const { held, key } = pairOf(table)
  const chosen = trx.selectFrom(held).select(key).where('user_id', '=', userId).limit(limit)
  const rows = await trx.deleteFrom(held).where(keyValue(key), 'in', chosen).returningAll().execute()
  return rows as unknown as Selectable<Schema[T]>[]
}

/** Adds rows of a member to quarantine. One that is there already stays as it is. */
export async function addQuarantinedRows<T extends MovedTable>(
  trx: Trx,
  table: T,
  rows: readonly Selectable<Schema[T]>[],
): Promise<void> {
  await trx
    .insertInto(pairOf(table).held)
    .values(rows as unknown as Selectable<CommentsTable>[])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** How many rows of the dog are in quarantine, without comments that are hidden by themselves. */
export async function countQuarantinedRows(db: Db, table: MovedTable, dogId: string): Promise<number> {
  const { count } = await db
    .selectFrom(pairOf(table).held)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dog_id', '=', dogId)
    .$if(table === 'comments_all', (rows) => rows.where('hidden', '=', 0))
    .executeTakeFirstOrThrow()
  return count
}

export const MOVED_TABLES = Object.keys(TABLES) as MovedTable[]
