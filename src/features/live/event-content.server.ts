import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { paths } from '#lib/paths.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import { selectNotificationViews, toNotificationView } from './notification-view.server.ts'
import type { EventRow, StoredEvent } from './live.server.ts'
import type { EventData, LiveEvents } from './live.ts'

/**
 * Events as they are sent: with what they are about as it is now. Nothing of it is stored with an event, so that a stream shows nothing that
 * the site does not: of what is deleted or hidden meanwhile nothing is sent. Look-ups by primary key.
 */
export async function fillInEvents(db: Db, stored: readonly StoredEvent[]): Promise<EventRow[]> {
  const idsOf =
    (...types: StoredEvent['type'][]) =>
    (column: 'thing_id' | 'dog_id' | 'user_id') => [
      ...new Set(stored.flatMap((row) => (types.includes(row.type) ? (row[column] ?? []) : []))),
    ]
  const dogs = await findById(idsOf('like', 'dog', 'comment')('dog_id'), (ids) => selectDogs(db).where('id', 'in', ids))
  const likes = await findById(idsOf('like')('thing_id'), (ids) =>
    db.selectFrom('dog_likes').select('id').where('id', 'in', ids),
  )
  const comments = await findById(idsOf('comment')('thing_id'), (ids) => selectComments(db).where('c.id', 'in', ids))
  const views = await findById(idsOf('notification')('thing_id'), (ids) =>
    selectNotificationViews(db).where('n.id', 'in', ids),
  )
  const unread = await findById(idsOf('notification')('user_id'), (ids) => selectUnread(db).where('user_id', 'in', ids))

  const contents: { [Type in StoredEvent['type']]: (row: StoredEvent, data: EventData) => LiveEvents[Type] | null } = {
    like({ thing_id, dog_id, actor_id, user_id, created_at }, { liked = false, count }) {
      const dog = dogs.get(dog_id)
      // One taken back is listed nowhere: no stream may say whose it was, nor by the id which one.
      if (!dog || (liked && !likes.has(thing_id))) return null
      const { votes, owner_id, discoverer_id } = dog
      const member = actor_id ?? user_id
      const of = { id: member === null ? '' : thing_id!, dog_id: dog_id!, user_id: member ?? '', created_at }
      return { ...of, liked, likes: count ?? votes, owner_id, discoverer_id }
    },
    dog({ dog_id }, { action = 'changed' }) {
      if (action === 'removed') return { action, id: dog_id! }
      const dog = dogs.get(dog_id)
      if (!dog) return null
      const { votes: _, comments_count: _count, path_breed, path_slug, ...shown } = dog
      return { action, ...shown, path: paths.dog({ path_breed, path_slug }) }
    },
    comment({ thing_id, dog_id }, { action, count }) {
      const dog = dogs.get(dog_id)
      const comment = comments.get(thing_id)
      if (!dog || (action === 'added' && !comment)) return null
      const of = { id: thing_id!, dog_id: dog_id!, comments: count ?? dog.comments_count }
      if (action !== 'added' || !comment) return { action: 'removed', ...of }
      const author = { alias: comment.alias ?? FALLBACK_ALIAS, emoji: comment.emoji ?? FALLBACK_EMOJI }
      return { action, ...of, comment: { ...comment, ...author } }
    },
    notification({ thing_id, user_id }, data) {
      const view = views.get(thing_id)
      return { ...data, notification: view ? toNotificationView(view) : null, unread: unread.get(user_id)?.unread ?? 0 }
    },
  }
  const isLast = findLast(stored)
  return stored.filter(isLast).flatMap((row) => {
    const content = contents[row.type](row, JSON.parse(row.data) as EventData)
    return content ? { ...row, data: JSON.stringify(content) } : []
  })
}

/** Of several changes of a dog, or of a line in a bell, the last one says it all. */
function findLast(stored: readonly StoredEvent[]): (row: StoredEvent) => boolean {
  const keyOf = ({ id, type, thing_id, dog_id, data }: StoredEvent) =>
    type === 'notification' && thing_id ? thing_id : type === 'dog' && data.includes('"changed"') ? dog_id : id
  const last = new Map(stored.map((row) => [keyOf(row), row.id]))
  return (row) => last.get(keyOf(row)) === row.id
}

/** Rows by their id; no query for none. */
async function findById<Row extends { id: string | null }>(
  ids: readonly string[],
  select: (ids: readonly string[]) => { execute: () => Promise<Row[]> },
): Promise<Map<string | null, Row>> {
  if (ids.length === 0) return new Map()
  return new Map((await select(ids).execute()).map((row) => [row.id, row]))
}

const selectDogs = (db: Db) =>
  db
    .selectFrom('dogs')
    .select(['id', 'name', 'breed', 'photo_url', 'owner_id', 'discoverer_id', 'created_at'])
    .select(['votes', 'comments_count', 'path_breed', 'path_slug'])

const selectComments = (db: Db) =>
  db
    .selectFrom('comments as c')
    .leftJoin('profiles as p', 'p.id', 'c.user_id')
    .select(['c.id', 'c.user_id', 'c.dog_id', 'c.content', 'c.created_at', 'p.alias', 'p.emoji'])

/** The numbers of members' unread notifications, by index notifications_unread; without those who have none. */
const selectUnread = (db: Db) =>
  db
    .selectFrom('notifications')
    .select((eb) => ['user_id as id', eb.fn.countAll<number>().as('unread')])
    .where('is_read', '=', sql.lit(0))
    .groupBy('user_id')
