import { type SelectQueryBuilder, sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { onlyCause, withCause, withoutCauses } from '#db/content.ts'
import type { Schema } from '#db/schema.ts'

/** Likes in one transaction: each changes the counts and the rank of who gave it. */
const LIKES_PER_BATCH = 25

const isWithin = sql<boolean>`(l.hidden & ${sql.lit(onlyCause('within'))}) != 0`

/**
 * Likes go with their dog, in steps: those of a hidden one count for nobody who gave them. At most `limit` catch up with the state of their dog, of
 * these dogs or of all, by the partial indexes dogs_away and dog_likes_away. Call it inside a transaction.
 * @returns how many
 */
export async function followDogs(
  trx: Trx,
  limit: number,
  dogIds?: readonly string[] | SelectQueryBuilder<Schema, 'dogs_all', { id: string }>,
): Promise<number> {
  const likes = (isDogHidden: boolean) => {
    const behind = trx
      .selectFrom('dogs_all as d')
      .innerJoin('dog_likes_all as l', 'l.dog_id', 'd.id')
      .select('l.id')
      .where('d.hidden', isDogHidden ? '!=' : '=', 0)
      .where((eb) => (isDogHidden ? eb.not(isWithin) : eb.and([eb('l.hidden', '!=', 0), isWithin])))
    return dogIds === undefined ? behind : behind.where('d.id', 'in', dogIds)
  }
  let followed = 0
  for (const isDogHidden of [true, false]) {
    const ids = (
      await likes(isDogHidden)
        .limit(limit - followed)
        .execute()
    ).map(({ id }) => id)
    followed += ids.length
    if (ids.length === 0) continue
    const change = trx
      .updateTable('dog_likes_all')
      .set({ hidden: isDogHidden ? withCause('within') : withoutCauses('within') })
    await change.where('id', 'in', ids).execute()
  }
  return followed
}

/** All likes of these dogs, or of all dogs, as after a crash. */
export const followAllDogs = (db: Db, dogIds?: readonly string[], signal?: AbortSignal): Promise<number> =>
  runInBatches(db, LIKES_PER_BATCH, (trx, limit) => followDogs(trx, limit, dogIds), signal)
