import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'

/** Events that are read in one batch: every one is searched for the member's id. */
const EVENTS_PER_BATCH = 100

/**
 * Deletes every stored event that contains the member's id, events of notifications about them included. Events that other features
 * publish while they erase must reach the open pages: they contain no member's id and stay.
 */
export async function eraseUser(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  let after = ((await db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirst())?.id ?? 0) - 1
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
        .where((eb) => eb.or([eb('user_id', '=', userId), sql<boolean>`instr(data, ${userId}) > 0`]))
        .execute()
      return after < (newest?.id ?? 0) ? 1 : 0
    },
    signal,
  )
}
