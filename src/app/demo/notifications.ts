/**
 * What the demo's members find under their bells: their dogs' likes and comments, told as the site tells them, and read up to
 * some moment that is each member's own. Breeds that were new to them are told while the dogs are filled in.
 */
import type { Db } from '#db/client.ts'
import type { NotificationsTable } from '#db/schema.ts'
import { commentSentence } from '#features/notifications/comment-notifications.server.ts'
import { recipientsOf, storedLikesSentence } from '#features/notifications/like-notifications.server.ts'
import type { SeededRandom } from './random.ts'

/** Which part of what a member was told they have read. */
const READ_SHARE = 0.8

/** Somebody's like of a dog, or their comment on it. */
interface Interaction {
  dog_id: string
  user_id: string
  created_at: number
  /** A comment's words. */
  content?: string
}

type NotificationRow = Pick<
  NotificationsTable,
  'id' | 'user_id' | 'type' | 'title' | 'content' | 'dog_id' | 'actor_id' | 'created_at'
> & { is_read: 0 | 1; likes_since: number }

/** Call it in the filling's transaction, when likes and comments are there. */
export async function insertDemoNotifications(trx: Db, dice: SeededRandom): Promise<void> {
  const dogs = await trx.selectFrom('dogs').select(['id', 'owner_id', 'discoverer_id']).orderBy('id').execute()
  const byDog = new Map(dogs.map((dog) => [dog.id, dog]))
  const perMember = Map.groupBy(
    (await listInteractions(trx)).flatMap((deed) =>
      recipientsOf(byDog.get(deed.dog_id)!, deed.user_id).map((to) => ({ to, deed })),
    ),
    ({ to }) => to,
  )
  const lines = [...perMember].flatMap(([userId, told]) => {
    const all = told.map(({ deed }) => deed)
    const readAt = all[Math.floor((all.length - 1) * READ_SHARE)]!.created_at
    return toNotificationRows(dice, userId, all, readAt)
  })
  // In the order in which they came, as the sweep expects them.
  for (const line of lines.toSorted((a, b) => a.created_at - b.created_at))
    await trx.insertInto('notifications').values(line).execute()
  await markOlderBreedNotificationsRead(trx)
}

/** All likes and comments, the oldest first. */
async function listInteractions(trx: Db): Promise<Interaction[]> {
  const likes = await trx
    .selectFrom('dog_likes as l')
    .innerJoin('profiles as p', 'p.id', 'l.user_id')
    .select(['l.dog_id', 'l.user_id', 'l.created_at'])
    .orderBy('l.id')
    .execute()
  const comments = await trx
    .selectFrom('comments as c')
    .innerJoin('profiles as p', 'p.id', 'c.user_id')
    .select(['c.dog_id', 'c.user_id', 'c.created_at', 'c.content'])
    .orderBy('c.id')
    .execute()
  return [...likes, ...comments].toSorted((a, b) => a.created_at - b.created_at)
}

/** A line a comment, and one a dog for its likes: of those that came since it was read, if any did. */
function toNotificationRows(dice: SeededRandom, userId: string, all: Interaction[], readAt: number): NotificationRow[] {
  const line = (deed: Interaction) => ({
    id: dice.uuid(),
    user_id: userId,
    dog_id: deed.dog_id,
    actor_id: deed.user_id,
    created_at: deed.created_at,
    is_read: deed.created_at <= readAt ? (1 as const) : (0 as const),
  })
  const comments = all.flatMap((deed) => {
    if (deed.content === undefined) return []
    const content = commentSentence(deed.content)
    return [{ ...line(deed), type: 'comment' as const, title: 'Nuevo comentario', content, likes_since: 0 }]
  })
  const liked = Map.groupBy(
    all.filter((deed) => deed.content === undefined),
    (deed) => deed.dog_id,
  )
  const likes = [...liked.values()].map((given) => {
    const fresh = given.filter((like) => like.created_at > readAt)
    const isAnew = fresh.length > 0 && fresh.length < given.length
    const told = isAnew ? fresh : given
    const newest = told.at(-1)!
    return {
      ...line(newest),
      type: 'like' as const,
      title: told.length > 1 ? 'Nuevos likes' : 'Nuevo like',
      content: storedLikesSentence(told.length),
      likes_since: isAnew ? told[0]!.created_at : 0,
    }
  })
  return [...comments, ...likes]
}

/** Of the breeds that were new to a member, all but the last are read. */
async function markOlderBreedNotificationsRead(trx: Db): Promise<void> {
  await trx
    .updateTable('notifications')
    .set({ is_read: 1 })
    .where('type', '=', 'other')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notifications as later')
          .select('later.id')
          .where('later.type', '=', 'other')
          .whereRef('later.user_id', '=', 'notifications.user_id')
          .whereRef('later.created_at', '>', 'notifications.created_at'),
      ),
    )
    .execute()
}
