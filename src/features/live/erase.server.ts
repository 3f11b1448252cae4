import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'

/** Events that are read in one batch: every one is searched for the member's id and alias. */
const EVENTS_PER_BATCH = 100

/**
 * Deletes from the history whatever names a leaving member, by id or, in the words of bells, by alias, and every line of a
 * bell that tells of them, whatever they were called then. Events of other features' erasures must reach the open pages: they
 * name nobody and stay.
 */
export async function eraseUser(db: Db, userId: string, alias: string, signal?: AbortSignal): Promise<void> {
  const written = JSON.stringify(alias).slice(1, -1)
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
        .where((eb) =>
          eb.or([
            eb('user_id', '=', userId),
            sql<boolean>`instr(data, ${userId}) > 0`,
            eb.and([eb('type', '=', 'notification'), sql<boolean>`instr(data, ${written}) > 0`]),
            eb.and([
              eb('type', '=', 'notification'),
              sql<boolean>`json_extract(data, '$.notification.id') IN (SELECT id FROM notifications WHERE actor_id = ${userId})`,
            ]),
          ]),
        )
        .execute()
      return after < (newest?.id ?? 0) ? 1 : 0
    },
    signal,
  )
}
