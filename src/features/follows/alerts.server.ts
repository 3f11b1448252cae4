import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { isSwitchOn } from '#features/notifications/push/settings.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_MS } from '#lib/time.ts'
import type { FollowKind } from './follows.ts'

// Followers are notified by jobs, a batch a step: one action never writes a row for each of a hundred thousand. Nobody has more than one unread
// notification of this kind, so that a follower who stays away costs no writes.

/** Followers looked at in one step, which bounds how long writers wait. */
const FOLLOWERS_PER_BATCH = 100
/** A dog that has waited longer is no news, ms: the job did not run. */
const ALERT_MAX_AGE_MS = 24 * HOUR_MS

const selectAnyFollower = prepareQuery((db, { kind, target_id }: { kind: FollowKind; target_id: string }) =>
  db.selectFrom('follows').select('user_id').where('kind', '=', kind).where('target_id', '=', target_id).limit(1),
)

/** Queues a dog that was just added for the followers of its people, breed and zone. Call it inside the action's transaction. */
export async function queueAlerts(trx: Trx, dogId: string, now = Date.now()): Promise<void> {
  const dog = await trx
    .selectFrom('dogs')
    .select(['breed_slug', 'province', 'owner_id', 'discoverer_id'])
    .where('id', '=', dogId)
    .executeTakeFirstOrThrow()
  const people = new Set([dog.owner_id, dog.discoverer_id].filter((id) => id !== null))
  const targets: { kind: FollowKind; target_id: string }[] = [
    ...[...people].map((id) => ({ kind: 'member' as const, target_id: id })),
    { kind: 'breed', target_id: dog.breed_slug },
    ...(dog.province ? [{ kind: 'zone' as const, target_id: dog.province }] : []),
  ]
  const followed: typeof targets = []
  for (const target of targets) if ((await selectAnyFollower(trx, target)).length > 0) followed.push(target)
  if (followed.length === 0) return
  const jobs = followed.map(({ kind, target_id }) => ({
    key: `${dogId} ${kind} ${target_id}`,
    userId: kind === 'member' ? target_id : null,
  }))
  await enqueue(trx, FOLLOW_ALERTS, jobs, now)
}

const FOLLOW_ALERTS = 'follow-alerts'

/** Bells of who follows the people, breed or zone of a new dog. The cursor is the follower who was looked at last. */
export const followAlerts: Topic = {
  name: FOLLOW_ALERTS,
  failure: 'no se pudo avisar a quien sigue',
  maxAgeMs: ALERT_MAX_AGE_MS,
  async step(trx, { key, cursor, queuedAt }, now) {
    const [dogId, kind, targetId] = key.split(' ') as [string, FollowKind, string]
    const followers = await trx
      .selectFrom('follows')
      .select('user_id')
      .where('kind', '=', kind)
      .where('target_id', '=', targetId)
      .where('user_id', '>', cursor)
      .orderBy('user_id')
      .limit(FOLLOWERS_PER_BATCH)
      .execute()
    const ids = followers.map(({ user_id }) => user_id)
    for (const userId of await listRecipients(trx, dogId, queuedAt, ids)) await notify(trx, 'follows', { userId }, now)
    return ids.length < FOLLOWERS_PER_BATCH ? 'done' : { cursor: ids.at(-1)! }
  },
}

/**
 * The followers to notify: they want it, have a profile, have no part in the dog and no block with its people, and have neither an unread
 * notification of this kind nor one since the dog was added.
 */
async function listRecipients(trx: Trx, dogId: string, queuedAt: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const dog = await trx
    .selectFrom('dogs')
    .select(['user_id', 'owner_id', 'discoverer_id'])
    .where('id', '=', dogId)
    .executeTakeFirst()
  // It is hidden or deleted by now.
  if (!dog) return []
  const people = [dog.user_id, dog.owner_id, dog.discoverer_id].filter((id) => id !== null)
  const rows = await trx
    .selectFrom('profiles as p')
    .leftJoin('notice_settings as s', 's.user_id', 'p.id')
    .select('p.id')
    .where('p.id', 'in', ids)
    .where(isSwitchOn('s.follows'))
    // The index of unread ones is used for a literal 0 alone.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as n')
            .select('n.id')
            .whereRef('n.user_id', '=', 'p.id')
            .where('n.is_read', '=', sql.lit(0))
            .where('n.link', '=', paths.following),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as n')
            .select('n.id')
            .whereRef('n.user_id', '=', 'p.id')
            .where('n.created_at', '>=', queuedAt)
            .where('n.link', '=', paths.following),
        ),
      ),
    )
    .where(visibleTo(people, 'news').of('p.id'))
    .$if(people.length > 0, (query) => query.where('p.id', 'not in', people))
    .orderBy('p.id')
    .execute()
  return rows.map(({ id }) => id)
}
