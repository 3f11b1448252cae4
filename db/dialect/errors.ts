// PostgreSQL's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

const FOREIGN_KEY_CODES: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])

/** A number that its column cannot hold, or a text that is none of the column's type. SQLite takes both. */
const INVALID_VALUE_CODES: ReadonlySet<unknown> = new Set(['22003', '22P02', '22P05', '22021'])

const hasCodeOf = (error: unknown, codes: ReadonlySet<unknown>): boolean =>
  error instanceof Error && 'code' in error && codes.has(error.code)

/** Whether a row could not be written because one that it refers to is gone. */
export const isForeignKeyError = (error: unknown): boolean => hasCodeOf(error, FOREIGN_KEY_CODES)

/** Whether a statement was prepared before a migration changed the columns of what it selects. */
export const isStalePlanError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan')

/** Whether the database cannot hold, or compare with, a value of the request. */
export const isInvalidValueError = (error: unknown): boolean => hasCodeOf(error, INVALID_VALUE_CODES)
