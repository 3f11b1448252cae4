import { sql } from 'kysely'
import type { Db } from '#db/client.ts'

/**
 * Sweeps from the history whatever names a leaving member, by id or, in the words of bells, by alias, and every line of a
 * bell that tells of them, whatever they were called then. Before the other features erase, because what they then tell
 * must reach the open pages. Call it inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string, alias: string): Promise<void> {
  const written = JSON.stringify(alias).slice(1, -1)
  await trx
    .deleteFrom('events')
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
}
