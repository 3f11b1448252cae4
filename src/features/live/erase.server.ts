import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Trx } from '#db/client.ts'
import { containsText } from '#db/dialect/expressions.ts'
import type { Schema } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { lastEventId } from './live.server.ts'

/** Events that are read in one batch: every one is searched for the member's id. */
const EVENTS_PER_BATCH = 100

/**
 * Deletes every stored event that contains the member's id, events of notifications about them included. Events that other features
 * publish while they erase must reach the open pages: they contain no member's id and stay.
 * @param searched the id of the last event that was searched before; 0 for none
 * @returns the id of the last event that is searched now
 */
export async function eraseUser(db: Db, userId: string, searched: number, signal?: AbortSignal): Promise<number> {
  const newest = Math.max(searched, await lastEventId(db))
  for (let after = searched; after < newest; await nextTurn()) {
    signal?.throwIfAborted()
    after = (await transact(db, (trx) => eraseBatch(trx, userId, after, newest))) ?? newest
  }
  return newest
}

/** Searches the next events up to `newest`. @returns the id of the last; undefined where there are no more */
async function eraseBatch(trx: Trx, userId: string, after: number, newest: number): Promise<number | undefined> {
  const batch = await trx
    .selectFrom('events')
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', newest)
    .orderBy('id')
    .limit(EVENTS_PER_BATCH)
    .execute()
  const last = batch.at(-1)?.id
  if (last === undefined) return undefined
  const events = trx.deleteFrom('events').where('id', '>', after).where('id', '<=', last)
  await events.where(contains(trx, userId)).execute()
  return last
}

/** Whether an event after `searched` contains the member's id, or there are too many to search in one transaction. */
export async function hasEventsAfter(trx: Trx, userId: string, searched: number): Promise<boolean> {
  const events = trx.selectFrom('events').select('id').where('id', '>', searched)
  const surplus = events.orderBy('id').offset(EVENTS_PER_BATCH).limit(1)
  if ((await surplus.executeTakeFirst()) !== undefined) return true
  return (await events.where(contains(trx, userId)).limit(1).executeTakeFirst()) !== undefined
}

const contains =
  (db: Db, userId: string) =>
  (eb: ExpressionBuilder<Schema, 'events'>): Expression<SqlBool> =>
    eb.or([eb('user_id', '=', userId), containsText(db, 'data', userId)])
