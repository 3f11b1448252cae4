import { errorCode } from './error-code.ts'

/** Why a write failed: the disk is full, it refuses writes (read-only, broken, another user's), or the database is locked. */
export type StorageFailure = 'full' | 'refused' | 'busy'

/** What a person reads where the disk is full, or nearly. */
export const DISK_FULL_TEXT = 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.'

const FAILURE_CODES: [RegExp, StorageFailure][] = [
  [/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/, 'full'],
  [/^(EROFS|EIO|EACCES|EPERM|EMFILE|ENFILE|SQLITE_(PERM|READONLY|IOERR|CANTOPEN|NOLFS)(_\w+)?)$/, 'refused'],
  [/^SQLITE_(BUSY|LOCKED)(_\w+)?$/, 'busy'],
]

/** The storage failure behind an error of Node or SQLite; null for any other error. */
export function findStorageFailure(error: unknown): StorageFailure | null {
  const code = errorCode(error)
  return FAILURE_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? null
}
