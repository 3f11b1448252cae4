import { errorCode } from './error-code.ts'

/**
 * Why a statement or a write failed: the disk is full, it refuses writes (read-only, broken, another user's), the database is locked, or
 * PostgreSQL does not answer.
 */
export type StorageFailure = 'full' | 'refused' | 'busy' | 'unavailable'

/** What a person reads where the disk is full, or nearly. */
export const DISK_FULL_TEXT = 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.'

/**
 * Codes of Node, SQLite (https://www.sqlite.org/rescode.html) and PostgreSQL
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const FAILURE_CODES: [RegExp, StorageFailure][] = [
  [/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|53100)$/, 'full'],
  [/^(EROFS|EIO|EACCES|EPERM|EMFILE|ENFILE|SQLITE_(PERM|READONLY|IOERR|CANTOPEN|NOLFS)(_\w+)?|25006)$/, 'refused'],
  // A transaction that others kept from ending, and a statement or a wait that took too long.
  [/^(SQLITE_(BUSY|LOCKED)(_\w+)?|DATABASE_BUSY|40001|40P01|55P03|57014|25P03)$/, 'busy'],
  [
    /^(08\w{3}|57P0[1-5]|53[023]00|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/,
    'unavailable',
  ],
]
/** Errors of `pg` about its connections, which have no code. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/

/** The storage failure behind an error of Node, SQLite or PostgreSQL; null for any other error. */
export function findStorageFailure(error: unknown): StorageFailure | null {
  const code = errorCode(error)
  const found = FAILURE_CODES.find(([pattern]) => pattern.test(code))?.[1]
  if (found) return found
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message) ? 'unavailable' : null
}
