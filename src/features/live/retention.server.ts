import type { Db } from '#db/client.ts'

/** Whoever was away for longer asks for everything anew. */
const EVENT_RETENTION_MS = 7 * 86_400_000

/** Events of last week and before: they name people and hold their words. The newest stays, so that numbers go on. */
export async function deleteExpiredEvents(db: Db, now: number): Promise<number> {
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!newest) return 0
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('created_at', '<=', now - EVENT_RETENTION_MS)
    .where('id', '<', newest.id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
