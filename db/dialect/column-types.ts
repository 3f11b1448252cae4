import { type RawBuilder, sql } from 'kysely'
import type { AnyDb } from './dialect.ts'
import { dialectOf } from './dialect.ts'

/** PostgreSQL's types by SQLite's. Texts sort by their bytes and integers have 64 bits, as in SQLite. */
const POSTGRES_TYPES = { TEXT: 'text COLLATE "C"', INTEGER: 'bigint', REAL: 'double precision' } as const

/** Replaces SQLite's column types, in capitals, by PostgreSQL's. */
export const toPostgresTypes = (statement: string): string =>
  statement.replace(/\b(TEXT|INTEGER|REAL)\b/g, (type) => POSTGRES_TYPES[type as keyof typeof POSTGRES_TYPES])

/** Types of columns for a migration, which runs on both databases: `addColumn('title', columnTypes(db).text)`. */
export function columnTypes(db: AnyDb): Record<'text' | 'integer' | 'real', RawBuilder<unknown>> {
  const type = (name: keyof typeof POSTGRES_TYPES) =>
    sql.raw(dialectOf(db) === 'postgres' ? POSTGRES_TYPES[name] : name.toLowerCase())
  return { text: type('TEXT'), integer: type('INTEGER'), real: type('REAL') }
}
