import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Trx } from '#db/client.ts'
import { jsonRows } from '#db/dialect/expressions.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import type { NewEvent } from '#features/live/live.server.ts'
import { describe } from './kinds.ts'
import { type LikedDog, recipientsOf } from './like-notifications.server.ts'
import { bellEvent } from './notifications.server.ts'
import { LIKE_GATHER_MS, queuePushes } from './push/queue.server.ts'
import { hashRetractedLike, readRetractedLike, type RetractedLike } from './retracted-likes.server.ts'

/** A like that the transaction has added. */
export interface AddedLike {
  actorId: string
  /** As it is with the like. */
  dog: LikedDog & { isLikedByOwner: 0 | 1; isLikedByDiscoverer: 0 | 1 }
  /** When it was given, ms. */
  now: number
}

/** A member's notification of a dog's likes: the bundle of those since it was read. */
interface Bundle {
  id: string
  actor_id: string
  is_read: 0 | 1
  created_at: number
  /** When the first of them was given, ms; 0: all likes of the dog. */
  likes_since: number
}

type StoredBundle = Omit<Bundle, 'actor_id'> & { actor_id: string | null; likes: number }

const RECIPIENT_COLUMNS = { user_id: 'text', hash: 'text' } as const

/**
 * A dog's people, each with their bundle, its likes since `likes_since` that are not the member's own, and what is remembered of this like. By
 * the partial unique index notifications_likes, which is used only for a literal type.
 */
const selectRecipients = prepareQuery((db, { dogId, given, now }: { dogId: string; given: string; now: number }) =>
  db
    .selectFrom(jsonRows<{ user_id: string; hash: string }>(db, given, RECIPIENT_COLUMNS).as('given'))
    .leftJoin('notifications_all as n', (join) =>
      join.onRef('n.user_id', '=', 'given.user_id').on('n.type', '=', sql.lit('like')).on('n.dog_id', '=', dogId),
    )
    .leftJoin('secrets as s', (join) => join.onRef('s.hash', '=', 'given.hash').on('s.expires_at', '>', now))
    .select(['given.user_id', 'n.id', 'n.actor_id', 'n.is_read', 'n.created_at', 'n.likes_since', 's.about'])
    .select(
      sql<number>`(SELECT count(*) FROM dog_likes AS l WHERE n.likes_since > 0 AND l.dog_id = n.dog_id
        AND l.created_at >= n.likes_since AND l.user_id <> n.user_id)`.as('likes'),
    ),
)

const BUNDLE_COLUMNS = {
  id: 'text',
  user_id: 'text',
  actor_id: 'text',
  dog_id: 'text',
  title: 'text',
  content: 'text',
  created_at: 'integer',
  is_read: 'integer',
  likes_since: 'integer',
} as const
const COLUMN_NAMES = Object.keys(BUNDLE_COLUMNS) as (keyof typeof BUNDLE_COLUMNS)[]

type BundleRow = Bundle & { user_id: string; dog_id: string; title: string; content: string }

const upsertBundles = prepareWrite((trx, { bundles }: { bundles: string }) =>
  trx
    .insertInto('notifications_all')
    .columns([...COLUMN_NAMES, 'type'])
    .expression(
      trx
        .selectFrom(jsonRows<BundleRow>(trx, bundles, BUNDLE_COLUMNS).as('given'))
        .select(COLUMN_NAMES.map((name) => `given.${name}` as const))
        .select(sql.lit('like').as('type'))
        // SQLite takes ON CONFLICT for a part of a join without it.
        .where(sql<SqlBool>`true`),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        title: ref('excluded.title'),
        content: ref('excluded.content'),
        created_at: ref('excluded.created_at'),
        is_read: ref('excluded.is_read'),
        actor_id: ref('excluded.actor_id'),
        named_id: null,
        likes_since: ref('excluded.likes_since'),
      })),
    ),
)

/**
 * Notifies a dog's owner and discoverer of a like: one bundle per dog, updated and unread again (docs/product.md §14.2). Its states are in
 * README.md.
 * @returns the events, which the caller publishes with its own
 */
export async function notifyLike(trx: Trx, like: AddedLike): Promise<NewEvent[]> {
  const { dog, actorId, now } = like
  const userIds = recipientsOf(dog, actorId)
  if (userIds.length === 0) return []
  const given = userIds.map((user_id) => ({ user_id, hash: hashRetractedLike([user_id, actorId, dog.id]) }))
  const recipients = await selectRecipients(trx, { dogId: dog.id, given: JSON.stringify(given), now })
  const changed = recipients.flatMap(({ user_id: userId, about, ...bundle }) => {
    const before = bundle.id === null ? undefined : (bundle as StoredBundle)
    const next = addToBundle(before, like, readRetractedLike(about))
    return next ? [{ userId, ...next, likes: countLikes(next.bundle, before, like, userId) }] : []
  })
  if (changed.length === 0) return []
  const rows = changed.map(({ userId, bundle, likes }): BundleRow => {
    const { title, content } = describe('like', { likes })
    return { ...bundle, user_id: userId, dog_id: dog.id, title, content }
  })
  await upsertBundles(trx, { bundles: JSON.stringify(rows) })
  const pushed = { due_at: now + LIKE_GATHER_MS, queued_at: now, breaks_quiet: 0 as const, image: null }
  await queuePushes(
    trx,
    changed.flatMap(({ userId, bundle, isPushed }) => (isPushed ? { id: bundle.id, user_id: userId, ...pushed } : [])),
  )
  return rows.map(({ id, user_id }) => bellEvent(user_id, { id }))
}

/** A bundle after a like, and whether it is pushed; null where it says no more than before. */
function addToBundle(
  before: StoredBundle | undefined,
  { actorId, now }: AddedLike,
  retracted: RetractedLike | undefined,
): { bundle: Bundle; isPushed: boolean } | null {
  const isLastActor = before?.actor_id === actorId
  // What is unread counts others' likes, which are new.
  if (retracted?.wasRead && before?.is_read === 0 && !isLastActor) return null
  const isRepeat = isLastActor || retracted?.wasRead === true
  // One that was taken back at once has not been pushed so far.
  const wasPushed = retracted !== undefined && now - retracted.likedAt >= LIKE_GATHER_MS
  const bundle = {
    id: before?.id ?? randomUUID(),
    actor_id: actorId,
    is_read: isRepeat ? (before?.is_read ?? 1) : (0 as const),
    created_at: isRepeat || retracted ? Math.max(before?.created_at ?? 0, retracted?.notifiedAt ?? 0) : now,
    likes_since: before?.is_read === 1 && !isRepeat ? now : (before?.likes_since ?? 0),
  }
  return { bundle, isPushed: !isRepeat && !wasPushed }
}

/** The likes that a bundle counts. The member's own like counts on the dog, but not here. */
function countLikes(
  { likes_since }: Bundle,
  before: StoredBundle | undefined,
  { dog }: AddedLike,
  userId: string,
): number {
  if (likes_since === 0) return dog.votes - (userId === dog.owner_id ? dog.isLikedByOwner : dog.isLikedByDiscoverer)
  // After a clock was set back, likes may be older than the bundle.
  return likes_since === before?.likes_since ? Math.max(1, before.likes) : 1
}
