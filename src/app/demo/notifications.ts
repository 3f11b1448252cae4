/**
 * The demo members' notifications: likes of their dogs and comments on them, in the site's own sentences, each member's read
 * up to a moment of their own. Notifications of new breeds are inserted together with the dogs.
 */
import type { Trx } from '#db/client.ts'
import type { NotificationsTable } from '#db/schema.ts'
import { describe } from '#features/notifications/kinds.ts'
import { recipientsOf } from '#features/notifications/like-notifications.server.ts'
import type { SeededRandom } from './random.ts'

/** Share of a member's notifications that they have read. */
const READ_SHARE = 0.8

/** A member's like of a dog, or their comment on it. */
interface Interaction {
  dog_id: string
  user_id: string
  created_at: number
  /** Text of a comment; undefined for a like. */
  content?: string
}

type NotificationRow = Pick<
  NotificationsTable,
  'id' | 'user_id' | 'type' | 'title' | 'content' | 'dog_id' | 'actor_id' | 'created_at'
> & { is_read: 0 | 1; likes_since: number }

/** Inserts the notifications of all likes and comments in the database. @param trx the transaction that inserted those */
export async function insertDemoNotifications(trx: Trx, dice: SeededRandom): Promise<void> {
  const dogs = await trx.selectFrom('dogs').select(['id', 'owner_id', 'discoverer_id']).orderBy('id').execute()
  const byDog = new Map(dogs.map((dog) => [dog.id, dog]))
  const byRecipient = Map.groupBy(
    (await listInteractions(trx)).flatMap((interaction) => {
      const dog = byDog.get(interaction.dog_id)
      if (!dog) return []
      return recipientsOf(dog, interaction.user_id).map((recipientId) => ({ recipientId, interaction }))
    }),
    ({ recipientId }) => recipientId,
  )
  const rows = [...byRecipient].flatMap(([userId, received]) => {
    const interactions = received.map(({ interaction }) => interaction)
    const readAt = interactions[Math.floor((interactions.length - 1) * READ_SHARE)]!.created_at
    return toNotificationRows(dice, userId, interactions, readAt)
  })
  // Oldest first: retention expects older rows before newer ones.
  for (const row of rows.toSorted((a, b) => a.created_at - b.created_at))
    await trx.insertInto('notifications_all').values(row).execute()
  await markOlderBreedNotificationsRead(trx)
}

/** All likes and comments, oldest first. */
async function listInteractions(trx: Trx): Promise<Interaction[]> {
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

/**
 * One row per comment, and one per dog for its likes. Where some of the likes came after `readAt`, the row counts those only,
 * as the site groups likes.
 */
function toNotificationRows(
  dice: SeededRandom,
  userId: string,
  interactions: Interaction[],
  readAt: number,
): NotificationRow[] {
  const toRow = ({ dog_id, user_id, created_at }: Interaction) => ({
    id: dice.uuid(),
    user_id: userId,
    dog_id,
    actor_id: user_id,
    created_at,
    is_read: created_at <= readAt ? (1 as const) : (0 as const),
  })
  const commentRows = interactions.flatMap((interaction) => {
    if (interaction.content === undefined) return []
    const { type, title, content } = describe('comment', { comment: { id: '', content: interaction.content } })
    return [{ ...toRow(interaction), type, title, content, likes_since: 0 }]
  })
  const likesByDog = Map.groupBy(
    interactions.filter(({ content }) => content === undefined),
    ({ dog_id }) => dog_id,
  )
  const likeRows = [...likesByDog.values()].flatMap((likes) => {
    const unread = likes.filter(({ created_at }) => created_at > readAt)
    const isPartlyRead = unread.length > 0 && unread.length < likes.length
    const counted = isPartlyRead ? unread : likes
    const [oldest, newest] = [counted[0], counted.at(-1)]
    if (!oldest || !newest) return []
    const { type, title, content } = describe('like', { likes: counted.length })
    return {
      ...toRow(newest),
      type,
      title,
      content,
      likes_since: isPartlyRead ? oldest.created_at : 0,
    }
  })
  return [...commentRows, ...likeRows]
}

/** Marks a member's notifications of new breeds as read, apart from the newest. */
async function markOlderBreedNotificationsRead(trx: Trx): Promise<void> {
  await trx
    .updateTable('notifications_all')
    .set({ is_read: 1 })
    .where('type', '=', 'other')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notifications_all as later')
          .select('later.id')
          .where('later.type', '=', 'other')
          .whereRef('later.user_id', '=', 'notifications_all.user_id')
          .whereRef('later.created_at', '>', 'notifications_all.created_at'),
      ),
    )
    .execute()
}
