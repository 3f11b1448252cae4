import { setTimeout as wait } from 'node:timers/promises'
import type { Trx as Db } from '#db/client.ts'
import { hasUnsettledEvents } from '#db/dialect/event-ids.ts'
import { type EventRow, eventsAfter } from '#features/live/live.server.ts'

/**
 * `eventsAfter` once all committed events are read: on PostgreSQL they wait for transactions that began earlier, those of other files'
 * databases among them.
 */
export async function settledEventsAfter(db: Db, id: number, limit: number): Promise<EventRow[]> {
  while (await hasUnsettledEvents(db)) await wait(5)
  return eventsAfter(db, id, limit)
}
