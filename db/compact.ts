import { type Db, sqliteOf } from './client.ts'
import { dialectOf } from './dialect/dialect.ts'

/** The largest file that is written anew: for half a second this process answers nobody, and it takes as much memory as the file. */
export const MAX_COMPACTED_BYTES = 64 * 1024 * 1024

/**
 * Writes a SQLite file anew. `secure_delete` overwrites the rows that are deleted, but not the copies that SQLite itself left behind
 * earlier: a row that moves to another page while a b-tree is balanced stays readable in the unused space of its old page, until that fills.
 * Such a copy of a row that is deleted since is in no query, but in the file. Call `checkpointWal` afterwards, which takes it out of the log.
 * PostgreSQL does the like by itself (autovacuum).
 * @returns false where nothing was done, since the file is larger
 * @throws SQLITE_BUSY while another process writes: waiting would block this one
 */
export async function compactDatabase(db: Db, maxBytes = MAX_COMPACTED_BYTES): Promise<boolean> {
  if (dialectOf(db) === 'postgres') return false
  const sqlite = sqliteOf(db)
  const size = (name: string) => sqlite.pragma(name, { simple: true }) as number
  if (size('page_count') * size('page_size') > maxBytes) return false
  // Between two queries: the one connection is this function's.
  return db.connection().execute(async () => {
    const busyTimeoutMs = sqlite.pragma('busy_timeout', { simple: true }) as number
    sqlite.pragma('busy_timeout = 0')
    try {
      sqlite.exec('VACUUM')
    } finally {
      sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`)
    }
    return true
  })
}
