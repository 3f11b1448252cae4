import type { Trx } from '#db/client.ts'
import { hashRequestKey, type RequestKey } from '#db/request-key.ts'
import { DAY_MS } from '#lib/time.ts'

/** How long a repeated request returns the first one's dog: a phone may be offline for weeks. */
export const IDEMPOTENCY_KEY_TTL_MS = 30 * DAY_MS

/** Deletes expired keys. @returns how many */
export async function deleteExpiredIdempotencyKeys(trx: Trx, now: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', now - IDEMPOTENCY_KEY_TTL_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** What is stored of a key. */
export const hashIdempotencyKey = (key: RequestKey): string => hashRequestKey('add', key)
