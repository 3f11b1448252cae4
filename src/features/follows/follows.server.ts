import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { AppError } from '#lib/errors.ts'
import { FOLLOW_TEXTS, type FollowTarget, MAX_FOLLOWS } from './follows.ts'
import { resolveTarget } from './targets.server.ts'

/**
 * Follows a member, a breed or a zone; a second time changes nothing.
 * @returns the target as it is stored
 * @throws AppError 403 for a banned member, or one with a block between them; 404; 409 past the maximum; 422 for oneself
 */
export async function follow(
  db: Db,
  user: { id: string },
  requested: FollowTarget,
  now = Date.now(),
): Promise<FollowTarget> {
  return transact(db, async (trx) => {
    const target = await resolveTarget(trx, user.id, requested)
    await assertNotBanned(trx, user.id, now)
    if (await isFollowing(trx, user.id, target)) return target
    if ((await countFollows(trx, user.id)) >= MAX_FOLLOWS) throw new AppError(409, FOLLOW_TEXTS.full)
    await trx
      .insertInto('follows')
      .values({ user_id: user.id, kind: target.kind, target_id: target.id, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return target
  })
}

/** Stops following; nothing changes where the member does not. What is gone by now, or hidden, is left as well. */
export async function unfollow(db: Db, user: { id: string }, { kind, id }: FollowTarget): Promise<void> {
  await transact(db, (trx) =>
    trx
      .deleteFrom('follows')
      .where('user_id', '=', user.id)
      .where('kind', '=', kind)
      .where('target_id', '=', id)
      .execute(),
  )
}

const selectFollow = prepareQuery((db, { userId, kind, id }: FollowTarget & { userId: string }) =>
  db
    .selectFrom('follows')
    .select('target_id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('target_id', '=', id),
)

/** Whether the member follows the target, by the primary key. */
export const isFollowing = async (db: Db, userId: string, { kind, id }: FollowTarget): Promise<boolean> =>
  (await selectFollow(db, { userId, kind, id })).length > 0

const selectBreeds = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('follows').select('target_id').where('user_id', '=', userId).where('kind', '=', 'breed'),
)

/** The slugs of all breeds that the member follows. */
export const findFollowedBreeds = async (db: Db, userId: string): Promise<Set<string>> =>
  new Set((await selectBreeds(db, { userId })).map(({ target_id }) => target_id))

const selectCount = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('follows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId),
)

/** How many members, breeds and zones the member follows, hidden ones included. */
export const countFollows = async (db: Db, userId: string): Promise<number> =>
  (await selectCount(db, { userId }))[0]!.count

/**
 * How many members follow this one. Those who are out of sight are subtracted: there are few of them, and a look-up each costs less than
 * one for each follower.
 */
export async function countFollowers(db: Db, userId: string): Promise<number> {
  const { all, hidden } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('follows')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('kind', '=', 'member')
        .where('target_id', '=', userId)
        .as('all'),
      eb
        .selectFrom('follows as f')
        .innerJoin('profiles_all as h', 'h.id', 'f.user_id')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('h.hidden', '>', 0)
        .where('f.kind', '=', 'member')
        .where('f.target_id', '=', userId)
        .as('hidden'),
    ])
    .executeTakeFirstOrThrow()
  return (all ?? 0) - (hidden ?? 0)
}
