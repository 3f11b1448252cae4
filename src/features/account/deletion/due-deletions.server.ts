import type { Db } from '#db/client.ts'
import { tryExclusively } from '#db/dialect/exclusive.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { eraseDueAccount } from '../erase.server.ts'
import type { AccountDeletion } from './deletion-state.server.ts'
import { hideAccount } from './hide-account.server.ts'
import { restoreAccount } from './restore-account.server.ts'

/** An unfinished step of this age was interrupted: nobody's request does it any more. */
const UNFINISHED_AFTER_MS = 2 * MINUTE_MS

/**
 * Erases the accounts whose deletion is due, brings back those that a dispute keeps, and finishes what a crash has interrupted. One account
 * that fails is logged, and the others follow. Throws where `signal` stops it.
 * @param isStart nothing is under way in this process
 */
export async function runDueDeletions(
  db: Db,
  dataDir: string,
  { signal, now = Date.now(), isStart = false }: { signal?: AbortSignal; now?: number; isStart?: boolean } = {},
): Promise<void> {
  const deletions = await db
    .selectFrom('account_deletions')
    .selectAll()
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('state', '!=', 'waiting')]))
    .orderBy('due_at')
    .execute()
  for (const deletion of deletions)
    try {
      await tryExclusively(db, `deletion of ${deletion.user_id}`, async (lost) => {
        const stop = signal ? AbortSignal.any([signal, lost]) : lost
        await advance(db, dataDir, deletion, { now, isStart, stop })
      })
    } catch (error) {
      signal?.throwIfAborted()
      console.error('perrario · el borrado de una cuenta se repite dentro de un minuto:', deletion.user_id, error)
    }
}

async function advance(
  db: Db,
  dataDir: string,
  { user_id: id, state, due_at, requested_at }: AccountDeletion,
  { now, isStart, stop }: { now: number; isStart: boolean; stop: AbortSignal },
): Promise<void> {
  // Whoever asked for it in time gets their account back.
  if (state === 'restoring') return restoreAccount(db, id, stop)
  if (due_at <= now) return eraseDueAccount(db, dataDir, id, now, stop)
  if (isStart || requested_at < now - UNFINISHED_AFTER_MS) await hideAccount(db, id, stop)
}
