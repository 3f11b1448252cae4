import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteExpiredIdempotencyKeys } from './write/idempotency-keys.server.ts'
import { DECLINED_COOLDOWN_MS } from './ownership/ownership.ts'

/** Deletes expired idempotency keys, and declined ownership requests whose cooldown is over. @returns rows deleted */
export async function deleteExpiredDogRows(db: Db, now: number): Promise<number> {
  const keys = await transact(db, (trx) => deleteExpiredIdempotencyKeys(trx, now))
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('ownership_requests_all')
      .where('declined_at', '<=', now - DECLINED_COOLDOWN_MS)
      .executeTakeFirstOrThrow(),
  )
  return keys + Number(numDeletedRows)
}
