import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { containsText } from '#db/dialect/expressions.ts'
import type { Schema } from '#db/schema.ts'

/** Events that are read in one batch: every one is searched for the member's id. */
const EVENTS_PER_BATCH = 100

/**
 * Deletes every stored event that contains the member's id, events of notifications about them included. Events that other features
 * publish while they erase must reach the open pages: they contain no member's id and stay.
 * @param searched the id of the last event that was searched before; 0 for none
 * @returns the id of the last event that is searched now
 */
export async function eraseUser(db: Db, userId: string, searched: number, signal?: AbortSignal): Promise<number> {
  const newest = (await findNewest(db)) ?? searched
  const oldest = await db
    .selectFrom('events')
    .select('id')
    .where('id', '>', searched)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  let after = (oldest?.id ?? newest + 1) - 1
  await runInBatches(
    db,
    1,
    async (trx) => {
      const from = after
      after += EVENTS_PER_BATCH
      await trx
        .deleteFrom('events')
        .where('id', '>', from)
        .where('id', '<=', after)
        .where(contains(trx, userId))
        .execute()
      return after < newest ? 1 : 0
    },
    signal,
  )
  return Math.max(searched, newest)
}

/** Whether an event after `searched` contains the member's id, or there are too many to search in one transaction. */
export async function hasEventsAfter(trx: Db, userId: string, searched: number): Promise<boolean> {
  if (((await findNewest(trx)) ?? 0) > searched + EVENTS_PER_BATCH) return true
  const events = trx.selectFrom('events').select('id').where('id', '>', searched)
  return (await events.where(contains(trx, userId)).limit(1).executeTakeFirst()) !== undefined
}

const findNewest = async (db: Db): Promise<number | undefined> =>
  (await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id

const contains =
  (db: Db, userId: string) =>
  (eb: ExpressionBuilder<Schema, 'events'>): Expression<SqlBool> =>
    eb.or([eb('user_id', '=', userId), containsText(db, 'data', userId)])
