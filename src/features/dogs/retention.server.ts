import type { Db } from '#db/client.ts'
import { deleteExpiredIdempotencyKeys } from './write/add.server.ts'
import { DECLINED_COOLDOWN_MS } from './ownership/ownership.ts'

/** Keys of requests that nobody sends again, and declined «Es mi perro» that may be said anew. @returns rows gone */
export async function deleteExpiredDogRows(db: Db, now: number): Promise<number> {
  const keys = await deleteExpiredIdempotencyKeys(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('ownership_requests')
    .where('declined_at', '<=', now - DECLINED_COOLDOWN_MS)
    .executeTakeFirstOrThrow()
  return keys + Number(numDeletedRows)
}
