import type { Trx } from '#db/client.ts'

/**
 * Deletes what the member follows and who follows them, at most `limit` rows. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseUser(trx: Trx, userId: string, limit: number): Promise<number> {
  const own = await trx
    .deleteFrom('follows')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb(
        eb.refTuple('kind', 'target_id'),
        'in',
        eb
          .selectFrom('follows')
          .select(['kind', 'target_id'])
          .where('user_id', '=', userId)
          .limit(limit)
          .$asTuple('kind', 'target_id'),
      ),
    )
    .executeTakeFirstOrThrow()
  const left = limit - Number(own.numDeletedRows)
  if (left === 0) return limit
  const followers = await trx
    .deleteFrom('follows')
    .where('kind', '=', 'member')
    .where('target_id', '=', userId)
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('follows')
        .select('user_id')
        .where('kind', '=', 'member')
        .where('target_id', '=', userId)
        .limit(left),
    )
    .executeTakeFirstOrThrow()
  return limit - left + Number(followers.numDeletedRows)
}

/** Deletes the follows between two members, in either direction. Call it in the transaction that blocks one of them. */
export async function deleteFollowsBetween(trx: Trx, oneId: string, otherId: string): Promise<void> {
  await trx
    .deleteFrom('follows')
    .where('kind', '=', 'member')
    .where((eb) =>
      eb.or([
        eb.and([eb('user_id', '=', oneId), eb('target_id', '=', otherId)]),
        eb.and([eb('user_id', '=', otherId), eb('target_id', '=', oneId)]),
      ]),
    )
    .execute()
}
