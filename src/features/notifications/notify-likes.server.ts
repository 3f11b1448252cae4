import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Trx } from '#db/client.ts'
import { inJsonTexts, jsonRows } from '#db/dialect/expressions.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import { deleteEvents } from '#features/live/event-history.server.ts'
import { type EventValues, publishAll } from '#features/live/live.server.ts'
import { LIKE_TITLES, type LikedDog, recipientsOf, storedLikesSentence } from './like-notifications.server.ts'
import { bellEvent } from './notifications.server.ts'
import { LIKE_GATHER_MS, type NewQueued, queuePushes } from './push/queue.server.ts'
import { readWithdrawnLikes, type WithdrawnLike } from './withdrawn-likes.server.ts'

/** A like that the transaction has added. */
export interface AddedLike {
  actorId: string
  /** As it is with all likes of the transaction. */
  dog: LikedDog & { isLikedByOwner: 0 | 1; isLikedByDiscoverer: 0 | 1 }
  /** When it was given, ms. */
  now: number
}

/** A member's notification of a dog's likes. */
interface Bell {
  id: string
  actor_id: string | null
  is_read: 0 | 1
  created_at: number
  likes_since: number
}

interface ChangedBell extends Bell {
  actor_id: string
  userId: string
  dog: AddedLike['dog']
  /** When the newest like came that it counts, ms. */
  now: number
  /** When it is pushed, ms; undefined: not at all. */
  due: number | undefined
  /** Likes of the transaction that came after that one, and which it does not count. */
  uncounted: number
}

const PAIR = { user_id: 'text', dog_id: 'text' } as const

interface BellQuery {
  /** JSON of members and dogs. */
  pairs: string
  /** JSON of the dogs' ids. */
  dogs: string
}

/** By the partial unique index notifications_likes, which is used only for a literal type. */
const selectBells = prepareQuery((db, { pairs, dogs }: BellQuery) => {
  return (
    db
      .selectFrom(jsonRows<{ user_id: string; dog_id: string }>(db, pairs, PAIR).as('given'))
      .innerJoin('notifications as n', (join) =>
        join
          .onRef('n.user_id', '=', 'given.user_id')
          .onRef('n.dog_id', '=', 'given.dog_id')
          .on('n.type', '=', sql.lit('like')),
      )
      .select(['n.user_id', 'n.dog_id', 'n.id', 'n.actor_id', 'n.is_read', 'n.created_at', 'n.likes_since'])
      // Where PostgreSQL reads the whole table, because it was small, it compares few rows with each pair.
      .where(inJsonTexts(db, 'n.dog_id', dogs))
  )
})

/** The likes of dogs since a time, without those of a member. @param asked JSON */
const selectCounts = prepareQuery((db, { asked }: { asked: string }) =>
  db
    .selectFrom(
      jsonRows<{ id: string; user_id: string; dog_id: string; since: number }>(db, asked, {
        id: 'text',
        ...PAIR,
        since: 'integer',
      }).as('given'),
    )
    .select([
      'given.id',
      sql<number>`(SELECT count(*) FROM dog_likes AS l WHERE l.dog_id = given.dog_id AND l.created_at >= given.since
        AND l.user_id <> given.user_id)`.as('likes'),
    ]),
)

interface BellRow extends Bell {
  user_id: string
  dog_id: string
  title: string
  content: string
}

const BELL_COLUMNS = {
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
const COLUMN_NAMES = Object.keys(BELL_COLUMNS) as (keyof typeof BELL_COLUMNS)[]

const upsertBells = prepareWrite((trx, { bells }: { bells: string }) =>
  trx
    .insertInto('notifications')
    .columns([...COLUMN_NAMES, 'type'])
    .expression(
      trx
        .selectFrom(jsonRows<BellRow>(trx, bells, BELL_COLUMNS).as('given'))
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

const keyOf = (userId: string, dogId: string): string => `${userId} ${dogId}`

/**
 * Notifies each dog's owner and discoverer of likes, in their order: one notification per dog, updated and unread again (docs/product.md
 * §14.2). Once read it starts over: «A Ana y 3 más» are the likes since. A like that was taken back and is given again within
 * a day makes nothing unread that was read, and is pushed once.
 */
export async function notifyLikes(trx: Trx, likes: readonly AddedLike[]): Promise<void> {
  const calls = likes.flatMap((like) =>
    recipientsOf(like.dog, like.actorId).map((userId) => ({
      ...like,
      userId,
      key: [userId, like.actorId, like.dog.id] as const,
    })),
  )
  if (calls.length === 0) return
  const known = await findBells(trx, calls)
  const findWithdrawn = await readWithdrawnLikes(trx, calls)
  const changed = new Map<string, ChangedBell>()
  for (const call of calls) {
    const { userId, dog } = call
    const key = keyOf(userId, dog.id)
    const earlier = changed.get(key)
    const next = ring(earlier ?? known.get(key), call, findWithdrawn(call))
    if (next) changed.set(key, { ...next, userId, dog, due: earlier?.due ?? next.due, uncounted: 0 })
    else if (earlier) earlier.uncounted++
  }
  await save(trx, [...changed.values()], new Set([...known.values()].map(({ id }) => id)))
}

async function findBells(trx: Trx, calls: readonly { userId: string; dog: { id: string } }[]) {
  const pairs = [...new Set(calls.map(({ userId, dog }) => keyOf(userId, dog.id)))].map((key) => {
    const [user_id, dog_id] = key.split(' ')
    return { user_id, dog_id }
  })
  const rows = await selectBells(trx, {
    pairs: JSON.stringify(pairs),
    dogs: JSON.stringify([...new Set(pairs.map(({ dog_id }) => dog_id))]),
  })
  return new Map<string, Bell>(rows.map((row) => [keyOf(row.user_id, row.dog_id ?? ''), row]))
}

/** A member's notification after a like; null where it says no more than before. */
function ring(before: Bell | undefined, like: AddedLike, withdrawn: WithdrawnLike | undefined) {
  const { actorId, now } = like
  const isLastActor = before?.actor_id === actorId
  // What is unread counts others' likes, which are new.
  if (withdrawn?.wasRead && before?.is_read === 0 && !isLastActor) return null
  const isRepeat = isLastActor || withdrawn?.wasRead === true
  // One that was taken back at once has not been pushed so far.
  const isPushed = withdrawn !== undefined && now - withdrawn.likedAt >= LIKE_GATHER_MS
  return {
    id: before?.id ?? randomUUID(),
    actor_id: actorId,
    is_read: isRepeat ? (before?.is_read ?? 1) : (0 as const),
    created_at: isRepeat || withdrawn ? Math.max(before?.created_at ?? 0, withdrawn?.notifiedAt ?? 0) : now,
    likes_since: before?.is_read === 1 && !isRepeat ? now : (before?.likes_since ?? 0),
    now,
    due: isRepeat || isPushed ? undefined : now + LIKE_GATHER_MS,
  }
}

/** @param known ids of notifications that were there before */
async function save(trx: Trx, bells: readonly ChangedBell[], known: ReadonlySet<string>): Promise<void> {
  if (bells.length === 0) return
  const counts = await countLikes(trx, bells)
  const rows = bells.map(({ userId, dog, ...bell }): BellRow => {
    // After a clock was set back, likes may be older than the notification.
    const count = Math.max(1, (counts.get(bell.id) ?? 0) - bell.uncounted)
    const { id, actor_id, is_read, created_at, likes_since } = bell
    const title = count > 1 ? LIKE_TITLES.many : LIKE_TITLES.one
    const content = storedLikesSentence(count)
    return { id, user_id: userId, actor_id, dog_id: dog.id, title, content, created_at, is_read, likes_since }
  })
  const events = bells.map(({ id, userId, dog, now }): EventValues => {
    const data = bellEvent({ id, dog_id: dog.id })
    return { type: 'notification', user_id: userId, data, created_at: now }
  })
  const earlier = bells.flatMap(({ id }) => (known.has(id) ? id : []))
  const queued = bells.flatMap(({ id, userId, due, now }): NewQueued[] =>
    due === undefined ? [] : [{ id, user_id: userId, due_at: due, queued_at: now, breaks_quiet: 0, image: null }],
  )
  await upsertBells(trx, { bells: JSON.stringify(rows) })
  if (earlier.length > 0) await deleteEvents(trx, { type: 'notification', ids: JSON.stringify(earlier) })
  await publishAll(trx, events)
  await queuePushes(trx, queued)
}

/** The likes that each notification counts, by its id. The recipient's own like counts on the dog, but not here. */
async function countLikes(trx: Trx, bells: readonly ChangedBell[]): Promise<Map<string, number>> {
  const asked = bells.flatMap(({ id, userId, dog, likes_since }) =>
    likes_since > 0 ? { id, user_id: userId, dog_id: dog.id, since: likes_since } : [],
  )
  const since = asked.length > 0 ? await selectCounts(trx, { asked: JSON.stringify(asked) }) : []
  const all = bells.map(({ id, userId, dog }): [string, number] => {
    const ownLikes = userId === dog.owner_id ? dog.isLikedByOwner : dog.isLikedByDiscoverer
    return [id, dog.votes - ownLikes]
  })
  return new Map([...all, ...since.map(({ id, likes }): [string, number] => [id, likes])])
}
