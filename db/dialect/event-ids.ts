import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../client.ts'
import { type AnyDb, dialectOf } from './dialect.ts'

// Readers of `events` name the last id that they have. In SQLite ids are in the order of commits. In PostgreSQL they are in the order of
// transactions, and only those below which no transaction is open are read (postgres/event-ids.ts).

const NEXT_OPEN = sql<number>`first_event_id(pg_snapshot_xmin(pg_current_snapshot()))`

/** Leaves out events that one with a lower id may still come before: `.$call(onlySettled(db))`. Those of this transaction are among them. */
export const onlySettled =
  (db: Db) =>
  <Q>(query: Q): Q => {
    if (dialectOf(db) === 'sqlite') return query
    // oxlint-disable-next-line typescript/no-explicit-any -- of any columns, which it leaves as they are
    return (query as SelectQueryBuilder<any, any, any>).where(sql<SqlBool>`events.id < ${NEXT_OPEN}`) as Q
  }

/** Whether there are committed events that `onlySettled` leaves out: they are read a moment later. */
export async function hasUnsettledEvents(db: Db): Promise<boolean> {
  if (dialectOf(db) === 'sqlite') return false
  return (
    (await db.selectFrom('events').select('id').where('id', '>=', NEXT_OPEN).limit(1).executeTakeFirst()) !== undefined
  )
}

/** The id up to which no event is added any more, if it is higher than that of the newest: PostgreSQL's. */
export async function findSettledId(db: Db): Promise<number> {
  if (dialectOf(db) === 'sqlite') return 0
  const { rows } = await sql<{ id: number }>`SELECT ${NEXT_OPEN} - 1 AS id`.execute(db)
  return rows[0]?.id ?? 0
}

/** The highest id of all events but the newest `count`; undefined where there are no more. @param last the newest id */
export async function findSurplusEventId(db: Db, last: number, count: number): Promise<number | undefined> {
  // Ids without gaps, but for the deleted: it may delete a few less.
  if (dialectOf(db) === 'sqlite') return last - count
  const newest = db.selectFrom('events').select('id').orderBy('id', 'desc')
  return (await newest.offset(count).limit(1).executeTakeFirst())?.id
}

/**
 * Continues the ids behind the highest one: events may come from another server, with a higher number of transactions. Call it before
 * others write.
 */
export async function alignEventIds(db: AnyDb): Promise<void> {
  if (dialectOf(db) === 'sqlite') return
  await sql`SELECT setval('event_id_offset', newest.id / first.step + 1 - first.transaction_id)
    FROM (SELECT max(id) AS id FROM events) AS newest, (
      SELECT next::text::bigint AS transaction_id, first_event_id(next) AS id,
        first_event_id((next::text::bigint + 1)::text::xid8) - first_event_id(next) AS step
      FROM (SELECT pg_snapshot_xmax(pg_current_snapshot()) AS next) AS snapshot) AS first
    WHERE newest.id >= first.id`.execute(db)
}
