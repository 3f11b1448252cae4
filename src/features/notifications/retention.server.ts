import { type Db, sqliteOf } from '#db/client.ts'
import { weekOf } from './digest/digest.ts'

/** Lines of the bell that were read stay a year; nobody scrolls as far back. */
const READ_RETENTION_MS = 365 * 86_400_000
/** Rows looked at in one go: writers wait no longer than that for their turn. */
const ROWS_PER_BATCH = 5000

/**
 * Read lines of the bell after a year, and how far digests of earlier weeks had got, which names a member. Lines are looked
 * at in the order in which they came, until one is younger: no index is needed for that.
 * @returns rows gone
 */
export async function deleteExpiredNotifications(db: Db, now: number): Promise<number> {
  const runs = await db.deleteFrom('digest_runs').where('week', '<', weekOf(now)).executeTakeFirstOrThrow()
  const sqlite = sqliteOf(db)
  const end = sqlite
    .prepare(
      'SELECT max(rowid), max(created_at) FROM (SELECT rowid, created_at FROM notifications WHERE rowid > ? ORDER BY rowid LIMIT ?)',
    )
    .raw()
  const drop = sqlite.prepare(
    'DELETE FROM notifications WHERE rowid > ? AND rowid <= ? AND is_read = 1 AND created_at < ?',
  )
  let gone = Number(runs.numDeletedRows)
  for (let from = 0; ;) {
    const [to, newest] = end.get(from, ROWS_PER_BATCH) as [number | null, number | null]
    if (to === null) return gone
    // Kysely's connection first: none of this may get into a transaction that somebody else has open.
    gone += await db.connection().execute(async () => drop.run(from, to, now - READ_RETENTION_MS).changes)
    if (newest! >= now - READ_RETENTION_MS) return gone
    from = to
  }
}
