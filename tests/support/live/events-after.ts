import type { Db } from '#db/client.ts'
import { type EventRow, readEvents } from '#features/live/live.server.ts'

/** The events after `id` as they are sent. */
export const eventsAfter = async (db: Db, id: number, limit: number): Promise<EventRow[]> =>
  (await readEvents(db, id, limit)).rows
