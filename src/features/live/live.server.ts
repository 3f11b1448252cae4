import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { jsonRows, jsonText } from '#db/dialect/expressions.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { isRemoval } from './event-history.server.ts'
import { fillInEvents } from './event-names.server.ts'
import type { LiveType, StoredEvents } from './live.ts'

/** Wakes the hub; undefined in a process without streams. */
let wakeHub: (() => void) | undefined

/** Sets the function that `publish` calls; undefined for none. */
export function onPublish(wake: (() => void) | undefined): void {
  wakeHub = wake
}

/** Has the hub read a member's blocks again; undefined in a process without streams. */
let rereadBlocks: ((userId: string) => void) | undefined

/** Sets the function that `refreshStreamBlocks` calls; undefined for none. */
export function onBlock(reread: ((userId: string) => void) | undefined): void {
  rereadBlocks = reread
}

/** After a block has committed, the open streams of both members leave out what the other writes. Other nodes' do so at the next heartbeat. */
export function refreshStreamBlocks(trx: Trx, userIds: readonly string[]): void {
  if (rereadBlocks) afterCommit(trx, () => userIds.forEach((id) => rereadBlocks?.(id)))
}

/** An event as a row. */
export interface EventValues {
  type: LiveType
  /** The only member who receives it; null for everybody. */
  user_id: string | null
  /** JSON. */
  data: string
  created_at: number
}

const EVENT_COLUMNS = { type: 'text', user_id: 'text', data: 'text', created_at: 'integer' } as const

/** Writes events, JSON of EventValues[], in their order. */
const insertEvents = prepareWrite((trx, { events }: { events: string }) =>
  trx
    .insertInto('events')
    .columns(['type', 'user_id', 'data', 'created_at'])
    .expression(
      trx
        .selectFrom(jsonRows<EventValues>(trx, events, EVENT_COLUMNS).as('given'))
        .select(['given.type', 'given.user_id', 'given.data', 'given.created_at']),
    ),
)

/** `publish` for several events, in their order. */
export async function publishAll(trx: Trx, events: readonly EventValues[]): Promise<void> {
  if (events.length === 0) return
  await insertEvents(trx, { events: JSON.stringify(events) })
  if (wakeHub) afterCommit(trx, wakeHub)
}

/**
 * Publishes an event to the streams of /api/events: to everyone, or to `userId` alone. Call it in the action's own
 * transaction (transactional outbox): one that rolls back publishes nothing, and one that commits is published even if the
 * process dies right after it.
 */
export async function publish<T extends LiveType>(
  trx: Trx,
  event: { type: T; data: StoredEvents[T]; userId?: string },
  now = Date.now(),
): Promise<void> {
  const { type, data, userId = null } = event
  await publishAll(trx, [{ type, user_id: userId, data: JSON.stringify(data), created_at: now }])
}

export interface EventRow {
  id: number
  type: LiveType
  user_id: string | null
  /** The author of the comment or like in `data`, read out of it by the database once a read; null for any other event. */
  author_id: string | null
  data: string
}

/** The column of that name is indexed, and has comments only. */
const selectAuthorId = (db: Db) =>
  sql<string | null>`CASE type WHEN 'like' THEN nullif(${jsonText(db, 'data', 'user_id')}, '') ELSE author_id END`.as(
    'author_id',
  )

/** Leaves out what is about a dog that is hidden, but for what says so. */
const isVisible = (
  db: Db,
) => sql<SqlBool>`(NOT EXISTS (SELECT 1 FROM dogs_all AS d WHERE d.id = events.dog_id AND d.hidden > 0)
  OR ${isRemoval(db)})`

/**
 * Reads the events after `id` in order, by primary key: at most `limit`,
 * and at most `bytes` in total, but one at least. The bound in bytes is needed because a comment is hundreds of times larger than a like.
 * Names are today's.
 */
export async function eventsAfter(db: Db, id: number, limit: number, bytes?: number): Promise<EventRow[]> {
  const after = db.selectFrom('events').where('id', '>', id).where(isVisible(db)).orderBy('id')
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
  return fillInEvents(
    db,
    await after
      .select(['id', 'type', 'user_id', selectAuthorId(db), 'data'])
      .limit(count)
      .execute(),
  )
}

/** What a reader who comes back may have missed, in number and bytes: more is loaded again sooner. */
export const MISSED_MAX_EVENTS = 500
const MISSED_MAX_BYTES = 64 * 1024

/**
 * The events after `position`, up to and including `head`.
 * @returns null where they are too many, or where some may have been deleted by age
 */
export async function missedEvents(db: Db, position: number, head: number): Promise<EventRow[] | null> {
  const oldest = await firstEventId(db)
  if (oldest !== undefined && position < oldest - 1) return null
  const sizes = await db
    .selectFrom('events')
    .select(sql<number>`octet_length(data)`.as('bytes'))
    .where('id', '>', position)
    .where('id', '<=', head)
    .limit(MISSED_MAX_EVENTS + 1)
    .execute()
  const bytes = sizes.reduce((sum, row) => sum + row.bytes, 0)
  if (sizes.length > MISSED_MAX_EVENTS || bytes > MISSED_MAX_BYTES) return null
  return (await eventsAfter(db, position, MISSED_MAX_EVENTS)).filter(({ id }) => id <= head)
}

/** The id of the newest event. */
export const selectLastEventId = (db: Db) => db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1)

const selectLastEvent = prepareQuery(selectLastEventId)

/** The id of the newest event; 0 before the first. */
export async function lastEventId(db: Db): Promise<number> {
  const [row] = await selectLastEvent(db, {})
  return row?.id ?? 0
}

/** The id of the oldest event that is still stored; undefined when there is none. */
export async function firstEventId(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirst()
  return row?.id
}

/** Events that stay: twice as many as readers who come back are sent. */
export const MAX_RETAINED_EVENTS = 2 * MISSED_MAX_EVENTS

/** Deletes all but the newest `count`. @param last the newest id; ids have gaps where events are deleted, so fewer may stay */
export async function deleteOldEvents(db: Db, last: number, count = MAX_RETAINED_EVENTS): Promise<void> {
  await transact(db, (trx) =>
    trx
      .deleteFrom('events')
      .where('id', '<=', last - count)
      .execute(),
  )
}
