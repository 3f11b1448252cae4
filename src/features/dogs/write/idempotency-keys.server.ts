import { createHash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'

/** How long a repeated request returns the first one's dog: a phone may be offline for weeks. */
export const IDEMPOTENCY_KEY_TTL_MS = 30 * DAY_MS

/** Deletes expired keys. @returns how many */
export async function deleteExpiredIdempotencyKeys(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', now - IDEMPOTENCY_KEY_TTL_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** @param sender the member or network that chose the key */
export const hashIdempotencyKey = ({ sender, key }: { sender: string; key: string }): string =>
  createHash('sha256').update(['add', sender, key].join('\0')).digest('base64url')
