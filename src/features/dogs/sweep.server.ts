import type { Db } from '#db/client.ts'
import { forgetKeys } from './add.server.ts'
import { DECLINED_REST } from './ownership.ts'

/** Keys of requests that nobody sends again, and declined «Es mi perro» that may be said anew. @returns rows gone */
export async function sweep(db: Db, now: number): Promise<number> {
  const keys = await forgetKeys(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('ownership_requests')
    .where('declined_at', '<=', now - DECLINED_REST)
    .executeTakeFirstOrThrow()
  return keys + Number(numDeletedRows)
}
