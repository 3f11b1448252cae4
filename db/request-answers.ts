import type { Db } from './client.ts'
import { transact } from './transact.ts'

/** A request that has no answer after this time was cut off by the end of its process: a repetition runs it again. */
const RUN_MAX_MS = 60_000

export interface StartedRequest {
  fingerprint: string | null
  /** Null while it runs. */
  answer: string | null
}

/** Starts a request of a key. @returns undefined, or what was started before with the same key */
export async function startRequest(db: Db, key: string, fingerprint: string): Promise<StartedRequest | undefined> {
  const now = Date.now()
  return transact(db, async (trx) => {
    const dead = trx.deleteFrom('idempotency_keys').where('key', '=', key).where('answer', 'is', null)
    await dead.where('created_at', '<', now - RUN_MAX_MS).execute()
    const before = await trx
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'answer'])
      .where('key', '=', key)
      .executeTakeFirst()
    if (before) return before
    await trx.insertInto('idempotency_keys').values({ key, dog_id: null, fingerprint, created_at: now }).execute()
    return undefined
  })
}

/** Ends a request: with its answer, or null for one that may run again. */
export async function endRequest(db: Db, key: string, answer: string | null): Promise<void> {
  await transact(db, async (trx) => {
    if (answer === null) await trx.deleteFrom('idempotency_keys').where('key', '=', key).execute()
    else await trx.updateTable('idempotency_keys').set({ answer }).where('key', '=', key).execute()
  })
}
