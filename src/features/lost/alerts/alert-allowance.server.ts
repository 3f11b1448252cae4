import type { Trx } from '#db/client.ts'
import { isEstablished } from '#features/moderation/established-members.server.ts'
import { dequeue, isQueued } from '#features/outbox/jobs.server.ts'
import { DAY_MS } from '#lib/time.ts'
import type { AlertScope } from '../lost.ts'
import { ALERTED_DOGS, ALERTED_DOGS_DAYS, ALERTED_DOGS_OF_NEW_MEMBERS } from './lost-alerts.ts'
import { LOST_ALERTS } from './send-alerts.server.ts'

interface OpenedCase {
  caseId: string
  dogId: string
  ownerId: string
}

const since = (now: number) => now - ALERTED_DOGS_DAYS * DAY_MS

/**
 * Decides who is alerted of a case that has just been inserted, and counts it for its owner. Dogs are counted, not cases: one that is
 * opened, ended and opened again before anybody was alerted counts once. Call it in the transaction that opens the case.
 */
export async function planAlerts(trx: Trx, opened: OpenedCase, now: number): Promise<void> {
  const scope = await decideScope(trx, opened, now)
  await trx.updateTable('lost_cases').set({ alerts: scope }).where('id', '=', opened.caseId).execute()
}

async function decideScope(trx: Trx, { caseId, dogId, ownerId }: OpenedCase, now: number): Promise<AlertScope> {
  // The trigger queues no dog that was announced lately.
  if (!(await isQueued(trx, LOST_ALERTS, caseId))) return 'dog'
  const isTrusted = await isEstablished(trx, ownerId, now)
  const others = await trx
    .selectFrom('lost_alerted_dogs')
    .select('dog_id')
    .where('owner_id', '=', ownerId)
    .where('dog_id', '!=', dogId)
    .where('alerted_at', '>', since(now))
    .limit(ALERTED_DOGS)
    .execute()
  if (others.length >= (isTrusted ? ALERTED_DOGS : ALERTED_DOGS_OF_NEW_MEMBERS)) {
    await dequeue(trx, LOST_ALERTS, caseId)
    return 'owner'
  }
  const alerted = { alerted_at: now }
  await trx
    .insertInto('lost_alerted_dogs')
    .values({ owner_id: ownerId, dog_id: dogId, ...alerted })
    .onConflict((conflict) => conflict.columns(['owner_id', 'dog_id']).doUpdateSet(alerted))
    .execute()
  return isTrusted ? 'all' : 'near'
}
