import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type AnyDb, dialectOf } from './dialect.ts'

// What SQLite and PostgreSQL say in different words. `db` is the database, or the transaction, that the query runs on. A column is
// named as in a query: `c.kind`.

const isPostgres = (db: AnyDb): boolean => dialectOf(db) === 'postgres'

/** Condition: the column holds one of the texts. One parameter however many there are, and none is as well. */
export const inTexts = (db: AnyDb, column: string, texts: readonly string[]): RawBuilder<SqlBool> =>
  isPostgres(db)
    ? sql`${sql.ref(column)} = ANY (${texts}::text[])`
    : sql`${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`

/** The texts of a JSON array, as a subquery: one parameter however many there are, so that a prepared query has one shape. */
export const jsonTexts = (db: AnyDb, json: string): RawBuilder<string> =>
  isPostgres(db) ? sql`(SELECT json_array_elements_text(${json}::json))` : sql`(SELECT value FROM json_each(${json}))`

/** Condition: the two columns hold one of the pairs. Two parameters at most, however many pairs there are. */
export function inTextPairs(
  db: AnyDb,
  [first, second]: readonly [string, string],
  pairs: readonly (readonly [string, string])[],
): RawBuilder<SqlBool> {
  const columns = sql`(${sql.ref(first)}, ${sql.ref(second)})`
  if (!isPostgres(db))
    return sql`${columns} IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(pairs)}))`
  const [firsts, seconds] = [pairs.map(([text]) => text), pairs.map(([, text]) => text)]
  return sql`${columns} IN (SELECT * FROM unnest(${firsts}::text[], ${seconds}::text[]))`
}

/** The code of a text's character, from 1. */
export const characterCode = (db: AnyDb, column: string, at: number): RawBuilder<number> =>
  sql`${sql.raw(isPostgres(db) ? 'ascii' : 'unicode')}(substr(${sql.ref(column)}, ${sql.lit(at)}, 1))`

/** A number without what is behind the point, as indexes on it spell it. */
export const wholeNumber = <T extends number | null>(db: AnyDb, column: string): RawBuilder<T> =>
  isPostgres(db) ? sql`trunc(${sql.ref(column)})` : sql`cast(${sql.ref(column)} as integer)`

/** The greatest of several numbers, none of which may be null. */
export const greatest = (db: AnyDb, ...numbers: readonly Expression<number>[]): RawBuilder<number> =>
  isPostgres(db) ? sql`greatest(${sql.join(numbers)})` : sql`max(${sql.join(numbers)})`

/**
 * A column in a condition for which SQLite uses no index: where the one that it would choose finds more rows than the others.
 * PostgreSQL, which counts values, chooses by itself.
 */
export const withoutIndex = <T>(db: AnyDb, column: string): RawBuilder<T> =>
  isPostgres(db) ? sql`${sql.ref(column)}` : sql`+${sql.ref(column)}`

/**
 * Joins to each row of a query the dogs, as `d`, whose ids a subquery about that row selects. Unlike in a join by a condition, the subquery may have
 * an order and a limit of its own. @param ids selects one column, `id`
 */
export const joinDogsOfEach = (db: AnyDb, ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`CROSS JOIN LATERAL (${ids}) AS of_row JOIN dogs AS d ON d.id = of_row.id`
    : sql`CROSS JOIN dogs AS d ON d.id IN (${ids})`

/** What a column of `jsonRows` holds; both may be null. */
export type JsonColumn = 'text' | 'integer'

/**
 * The objects of a JSON array as the rows of a query, in their order: `selectFrom(jsonRows(…).as('given'))`. One parameter however many there are, so
 * that a prepared query has one shape.
 * @param columns the objects' keys, constants
 */
export function jsonRows<T extends object>(
  db: AnyDb,
  json: string,
  columns: Readonly<Record<keyof T & string, JsonColumn>>,
): RawBuilder<T> {
  const names = Object.keys(columns) as (keyof T & string)[]
  if (!isPostgres(db))
    return sql`(SELECT ${sql.join(names.map((name) => sql`value ->> ${sql.lit(name)} AS ${sql.id(name)}`))} FROM json_each(${json}))`
  const types = { text: sql`text COLLATE "C"`, integer: sql`bigint` }
  // Of a limit that it does not know PostgreSQL expects a tenth of the rows: ten. It would plan for a hundred, and read whole tables.
  return sql`(SELECT * FROM json_to_recordset(${json}::json)
    AS r (${sql.join(names.map((name) => sql`${sql.id(name)} ${types[columns[name]]}`))}) LIMIT (SELECT 1000000))`
}
