import { afterFailure, type SendFailure } from '#lib/queued-sends.ts'
import { type QueuedSighting, SIGHTING_QUEUE_TEXTS } from './queue.ts'

/** The queued sighting after a send. It never leaves the queue here: only a notified or discarding person deletes it. */
export function afterSend(sighting: QueuedSighting, outcome: 'sent' | SendFailure, now: number): QueuedSighting {
  if (outcome === 'sent') return { ...sighting, state: 'sent', problem: '', photo: null }
  const after = afterFailure(sighting, outcome, SIGHTING_QUEUE_TEXTS, now)
  if (outcome.kind === 'broken' || (outcome.status !== 404 && outcome.status !== 409)) return after
  return { ...after, isOver: true, problem: outcome.status === 404 ? SIGHTING_QUEUE_TEXTS.gone : after.problem }
}
