import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './client.ts'
import type { Schema } from './schema.ts'
import { characterCode } from './dialect/expressions.ts'

/** Rows before a page that are compared with those that were shown: the cost of a page far down is bounded. */
const MARKED_ROWS_MAX = 5000

/**
 * The `listMark` (lib/cursor.ts) of the rows that a page's cursor has shown, as they are now: where it is another one, the order has changed.
 * @param before selects these rows by index, given how many it may read
 * @returns undefined where they are too many to compare
 */
export async function readListMark(
  db: Db,
  before: (limit: number) => SelectQueryBuilder<Schema, 'dogs' | 'profiles', { id: string }>,
): Promise<number | undefined> {
  const code = (at: number) => characterCode(db, 'before.id', at)
  const { count, mark } = await db
    .selectFrom(before(MARKED_ROWS_MAX + 1).as('before'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>(sql<number>`${code(1)} * ${code(3)} + ${code(5)}`).as('mark'),
    ])
    .executeTakeFirstOrThrow()
  return Number(count) > MARKED_ROWS_MAX ? undefined : Number(mark ?? 0)
}
