import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { LiveEvents, LiveType } from './live.ts'

/** The hub's ear; undefined where nobody serves streams. */
let wakeHub: (() => void) | undefined

/** Who is to be told that something was published; undefined when nobody serves streams here. */
export function onPublish(wake: (() => void) | undefined): void {
  wakeHub = wake
}

/**
 * Tells the streams of /api/events what happened: to everyone, or to `userId` alone. Call it in the deed's own
 * transaction: a deed that fails tells nothing, and one that stands is told even if the process dies right after it.
 */
export async function publish<T extends LiveType>(
  trx: Db,
  event: { type: T; data: LiveEvents[T]; userId?: string },
  now = Date.now(),
): Promise<void> {
  const { type, data, userId = null } = event
  await trx
    .insertInto('events')
    .values({ type, user_id: userId, data: JSON.stringify(data), created_at: now })
    .execute()
  // The hub reads over the same connection, so it waits for this transaction to end.
  wakeHub?.()
}

export interface EventRow {
  id: number
  type: LiveType
  user_id: string | null
  data: string
}

/**
 * Events after `id` in order, by primary key: at most `limit`, and no more than weigh `bytes` together, but one at least.
 * What somebody wrote weighs hundreds of times what somebody liked does.
 */
export async function eventsAfter(db: Db, id: number, limit: number, bytes?: number): Promise<EventRow[]> {
  const after = db.selectFrom('events').where('id', '>', id).orderBy('id')
  let count = limit
  if (bytes !== undefined) {
    const sizes = await after
      .select(sql<number>`octet_length(data)`.as('bytes'))
      .limit(limit)
      .execute()
    let sum = 0
    const fits = sizes.findIndex((row) => (sum += row.bytes) > bytes)
    if (fits >= 0) count = Math.max(1, fits)
  }
  return after.select(['id', 'type', 'user_id', 'data']).limit(count).execute()
}

const selectLastEvent = prepareQuery((db) => db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1))

/** The number of the newest event; 0 before the first. */
export async function lastEventId(db: Db): Promise<number> {
  const [row] = await selectLastEvent(db, {})
  return row?.id ?? 0
}

/** The number of the oldest event still kept; undefined when there is none. */
export async function firstEventId(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirst()
  return row?.id
}

/** How many events are kept for those who were away: ten minutes of a very busy community, days of a quiet one. */
export const MAX_RETAINED_EVENTS = 20_000

/** Sweeps what nobody will come back for. The newest row stays, so that numbers go on after a restart. */
export async function deleteOldEvents(db: Db, last: number): Promise<void> {
  await db
    .deleteFrom('events')
    .where('id', '<=', last - MAX_RETAINED_EVENTS)
    .execute()
}
