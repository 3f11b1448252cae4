import type { CompiledQuery, DeleteQueryBuilder, InsertQueryBuilder, QueryCreator } from 'kysely'
import type { Db } from '../client.ts'
import type { Schema } from '../schema.ts'
import { dialectOf } from './dialect.ts'

/** A query that writes and whose rows nobody reads. */
// oxlint-disable-next-line typescript/no-explicit-any -- of any table, and whatever it returns
export type Write = InsertQueryBuilder<Schema, any, any> | DeleteQueryBuilder<Schema, any, any>

/**
 * Compiles writes that follow each other as the database runs them soonest. PostgreSQL gets one statement of data-modifying CTEs
 * (https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-MODIFYING), since each statement is a round trip. They all see the
 * rows from before it: none may read or change a row that another one writes. SQLite has neither such CTEs nor round trips: each stays a
 * statement.
 */
export function compileWrites(db: Db, writes: readonly Write[]): CompiledQuery[] {
  if (dialectOf(db) === 'sqlite' || writes.length < 2) return writes.map((write) => write.compile())
  const joined = writes.reduce<QueryCreator<Schema>>((query, write, i) => query.with(`write_${i}`, () => write), db)
  return [joined.selectNoFrom(({ lit }) => lit(1).as('done')).compile()]
}
