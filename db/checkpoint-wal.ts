import { type Db, sqliteOf } from './client.ts'
import { dialectOf } from './dialect/dialect.ts'

/**
 * Removes deleted rows from SQLite's write-ahead log, unless there are readers now: waiting for them would block the process.
 * PostgreSQL recycles its log by itself.
 */
export async function checkpointWal(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') return
  const sqlite = sqliteOf(db)
  // Between two queries: the one connection is this function's.
  await db.connection().execute(async () => {
    const busyTimeoutMs = sqlite.pragma('busy_timeout', { simple: true }) as number
    sqlite.pragma('busy_timeout = 0')
    try {
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`)
    }
  })
}
