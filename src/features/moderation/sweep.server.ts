import type { Db } from '#db/client.ts'

/** Bans that are over: that there was one stays in the log. @returns rows gone */
export async function sweep(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('bans').where('until', '<=', now).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
