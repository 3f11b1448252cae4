import type { Db } from '#db/client.ts'

/** Deletes notices that nobody has renewed, with their photos, matches and answers. @returns rows deleted */
export async function deleteExpiredNotices(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('found_notices')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
