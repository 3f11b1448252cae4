import { type Db, sqliteOf } from '#db/client.ts'
import { weekOf } from './digest/digest.ts'
import { DAY_MS } from '#lib/time.ts'

/** Read notifications stay for a year, far beyond what the bell shows. */
const READ_RETENTION_MS = 365 * DAY_MS
/** Rows checked per statement, which bounds how long writers wait. */
const ROWS_PER_BATCH = 5000

/**
 * Deletes read notifications after a year, and the runs of earlier weeks' digests, whose position is a member's id. Reads in
 * insertion order up to the first younger row, which needs no index.
 * @returns rows deleted
 */
export async function deleteExpiredNotifications(db: Db, now: number): Promise<number> {
  const runs = await db.deleteFrom('digest_runs').where('week', '<', weekOf(now)).executeTakeFirstOrThrow()
  const sqlite = sqliteOf(db)
  const selectBatchEnd = sqlite
    .prepare(
      'SELECT max(rowid), max(created_at) FROM (SELECT rowid, created_at FROM notifications WHERE rowid > ? ORDER BY rowid LIMIT ?)',
    )
    .raw()
  const deleteRows = sqlite.prepare(
    'DELETE FROM notifications WHERE rowid > ? AND rowid <= ? AND is_read = 1 AND created_at < ?',
  )
  let deletedCount = Number(runs.numDeletedRows)
  for (let from = 0; ;) {
    const [to, newest] = selectBatchEnd.get(from, ROWS_PER_BATCH) as [number | null, number | null]
    if (to === null || newest === null) return deletedCount
    // Takes Kysely's connection first, so that this does not run inside another caller's transaction.
    deletedCount += await db.connection().execute(async () => deleteRows.run(from, to, now - READ_RETENTION_MS).changes)
    if (newest >= now - READ_RETENTION_MS) return deletedCount
    from = to
  }
}
