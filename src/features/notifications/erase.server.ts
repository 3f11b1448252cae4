import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { publishDeletedLines } from './notifications.server.ts'

/**
 * Deletes lines of the member's own bell and lines of others that tell of the member, at most `limit`. A line of grouped likes
 * names who liked last and stays, once likes are erased, unless the name in it is still the member's (a bell whose dog changed
 * hands). After likes; call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseLines(trx: Db, userId: string, alias: string, limit: number): Promise<number> {
  const own = await trx
    .deleteFrom('notifications')
    .where('id', 'in', (eb) => eb.selectFrom('notifications').select('id').where('user_id', '=', userId).limit(limit))
    .executeTakeFirstOrThrow()
  const left = limit - Number(own.numDeletedRows)
  if (left === 0) return limit
  const gone = await trx
    .deleteFrom('notifications')
    .where('id', 'in', (of) =>
      of
        .selectFrom('notifications')
        .select('id')
        .where('actor_id', '=', userId)
        .where((eb) => eb.or([eb('type', '!=', 'like'), sql<boolean>`instr(content, ${alias}) > 0`]))
        .limit(left),
    )
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedLines(trx, gone)
  return limit - left + gone.length
}

/** Deletes the member's devices and settings. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
  await trx.deleteFrom('digests').where('user_id', '=', userId).execute()
  await trx.deleteFrom('notice_settings').where('user_id', '=', userId).execute()
}
