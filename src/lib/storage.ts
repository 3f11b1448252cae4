/** Why something could not be kept: no room, a disk that takes nothing (read-only, broken, somebody else's), or others at work for too long. */
export type StorageTrouble = 'full' | 'refused' | 'busy'

const TROUBLES: [RegExp, StorageTrouble][] = [
  [/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/, 'full'],
  [/^(EROFS|EIO|EACCES|EPERM|EMFILE|ENFILE|SQLITE_(PERM|READONLY|IOERR|CANTOPEN|NOLFS)(_\w+)?)$/, 'refused'],
  [/^SQLITE_(BUSY|LOCKED)(_\w+)?$/, 'busy'],
]

/** What of the disk an error of Node or SQLite tells; null for any other error. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return null
  return TROUBLES.find(([pattern]) => pattern.test(code))?.[1] ?? null
}
