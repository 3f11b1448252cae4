import { type ExpressionBuilder, sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { Schema } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { isSwitchOn } from '#features/notifications/push/settings.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_MS } from '#lib/time.ts'
import type { FollowKind } from './follows.ts'

// Followers are notified by a job, in batches: one action never writes a row for each of a hundred thousand. Nobody has more than one unread
// notification of this kind, so that a follower who stays away costs no writes.

/** Followers looked at in one transaction, which bounds how long writers wait. */
const FOLLOWERS_PER_BATCH = 100
/** A dog that has waited longer is no news, ms: the job did not run. */
const ALERT_MAX_AGE_MS = 24 * HOUR_MS
const INTERVAL_MS = 5000

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
  await trx
    .insertInto('follow_alerts')
    .values(followed.map((target) => ({ ...target, dog_id: dogId, created_at: now })))
    .execute()
}

/** Notifies followers of the queued dogs, the oldest first, in batches. It continues after a restart where it was. */
export async function sendAlerts(db: Db, signal?: AbortSignal, now = Date.now()): Promise<void> {
  await transact(db, (trx) =>
    trx
      .deleteFrom('follow_alerts')
      .where('created_at', '<', now - ALERT_MAX_AGE_MS)
      .execute(),
  )
  await runInBatches(db, 1, (trx) => sendBatch(trx, now), signal)
}

/** @returns 0 where nothing is queued */
async function sendBatch(trx: Trx, now: number): Promise<number> {
  const alert = await trx.selectFrom('follow_alerts').selectAll().orderBy('created_at').limit(1).executeTakeFirst()
  if (!alert) return 0
  const { dog_id, kind, target_id, position } = alert
  const followers = await trx
    .selectFrom('follows')
    .select('user_id')
    .where('kind', '=', kind)
    .where('target_id', '=', target_id)
    .where('user_id', '>', position)
    .orderBy('user_id')
    .limit(FOLLOWERS_PER_BATCH)
    .execute()
  const ids = followers.map(({ user_id }) => user_id)
  for (const userId of await listRecipients(trx, alert, ids)) await notify(trx, 'follows', { userId }, now)
  const isRow = (eb: ExpressionBuilder<Schema, 'follow_alerts'>) => eb.and({ dog_id, kind, target_id })
  const last = ids.length < FOLLOWERS_PER_BATCH ? undefined : ids.at(-1)
  if (last === undefined) await trx.deleteFrom('follow_alerts').where(isRow).execute()
  else await trx.updateTable('follow_alerts').set({ position: last }).where(isRow).execute()
  return 1
}

/**
 * The followers to notify: they want it, have a profile, have no part in the dog and no block with its people, and have neither an unread
 * notification of this kind nor one since the dog was added.
 */
async function listRecipients(
  trx: Trx,
  { dog_id, created_at }: { dog_id: string; created_at: number },
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const dog = await trx
    .selectFrom('dogs')
    .select(['user_id', 'owner_id', 'discoverer_id'])
    .where('id', '=', dog_id)
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
            .where('n.created_at', '>=', created_at)
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

/** Looks every few seconds for new dogs whose followers are to be notified. All state is in the database. */
export const startAlerts = (db: Db, { intervalMs = INTERVAL_MS, clock = Date.now } = {}): Job =>
  runEvery({ intervalMs }, 'perrario · no se pudo avisar a quien sigue:', (ending) => sendAlerts(db, ending, clock()))
