/** PostgreSQL's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FOREIGN_KEY_CODES: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])

/** Whether a row could not be written because one that it refers to is gone. */
export const isForeignKeyError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FOREIGN_KEY_CODES.has(error.code)
