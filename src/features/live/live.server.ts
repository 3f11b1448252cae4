import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { jsonRows } from '#db/dialect/expressions.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import { afterCommit, transact } from '#db/transact.ts'
import type { EventsTable } from '#db/schema.ts'
import { fillInEvents } from './event-content.server.ts'
import type { EventData, LiveType } from './live.ts'

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

/** An event to publish: what has happened, and to what. */
export interface NewEvent extends EventData {
  type: LiveType
  /** The only member who receives it; everybody by default. */
  userId?: string
  /** Whose comment or like it is: it is sent across no block. It goes with their account. */
  actorId?: string
  /** The comment, like or notification. */
  thingId?: string
  dogId?: string
}

const EVENT_COLUMNS = {
  type: 'text',
  user_id: 'text',
  actor_id: 'text',
  thing_id: 'text',
  dog_id: 'text',
  data: 'text',
  created_at: 'integer',
} as const
const COLUMN_NAMES = Object.keys(EVENT_COLUMNS) as (keyof typeof EVENT_COLUMNS)[]
type EventValues = Omit<StoredEvent, 'id'>

/** Writes events, JSON of EventValues[], in their order. */
const insertEvents = prepareWrite((trx, { events }: { events: string }) =>
  trx
    .insertInto('events')
    .columns(COLUMN_NAMES)
    .expression(
      trx
        .selectFrom(jsonRows<EventValues>(trx, events, EVENT_COLUMNS).as('given'))
        .select(COLUMN_NAMES.map((name) => `given.${name}` as const)),
    ),
)

/**
 * Publishes events to the streams of /api/events, in their order. Call it in the action's own transaction (transactional outbox): one that
 * rolls back publishes nothing, and one that commits is published even if the process dies right after it.
 */
export async function publish(trx: Trx, events: NewEvent | readonly NewEvent[], now = Date.now()): Promise<void> {
  const rows = [events].flat().map((event: NewEvent): EventValues => {
    const { type, userId, actorId, thingId, dogId, ...data } = event
    const about = { actor_id: actorId ?? null, thing_id: thingId ?? null, dog_id: dogId ?? null }
    return { type, user_id: userId ?? null, ...about, data: JSON.stringify(data), created_at: now }
  })
  if (rows.length === 0) return
  await insertEvents(trx, { events: JSON.stringify(rows) })
  if (wakeHub) afterCommit(trx, wakeHub)
}

export type StoredEvent = Selectable<EventsTable>

/** An event as it is sent: `data` has what it is about. */
export type EventRow = Pick<StoredEvent, 'id' | 'type' | 'user_id' | 'actor_id' | 'data'>

/**
 * Reads the events after `id` in order, by primary key: at most `limit`.
 * @returns what there is to send of them, how many were read, and the id of the last one
 */
export async function readEvents(
  db: Db,
  id: number,
  limit: number,
): Promise<{ rows: EventRow[]; count: number; last: number }> {
  const stored = await db.selectFrom('events').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()
  return { rows: await fillInEvents(db, stored), count: stored.length, last: stored.at(-1)?.id ?? id }
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
  const ids = db
    .selectFrom('events')
    .select('id')
    .where('id', '>', position)
    .limit(MISSED_MAX_EVENTS + 1)
  if ((await ids.execute()).length > MISSED_MAX_EVENTS) return null
  const { rows } = await readEvents(db, position, MISSED_MAX_EVENTS)
  const missed = rows.filter(({ id }) => id <= head)
  const bytes = missed.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
  return bytes > MISSED_MAX_BYTES ? null : missed
}

/** Deletes at most `limit` of a member's events, and of those of what they did. By the indexes events_user and events_actor. @returns how many */
export async function eraseEvents(trx: Trx, userId: string, limit: number): Promise<number> {
  const own = trx.selectFrom('events').select('id')
  const ids = own.where((eb) => eb.or([eb('user_id', '=', userId), eb('actor_id', '=', userId)])).limit(limit)
  const { numDeletedRows } = await trx.deleteFrom('events').where('id', 'in', ids).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
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
