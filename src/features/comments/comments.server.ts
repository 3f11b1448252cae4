import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { publish } from '#features/live/live.server.ts'
import { notifyComment } from '#features/notifications/comments.server.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#features/profiles/profiles.ts'
import { type Cursor, readCursor, writeCursor } from '#lib/cursor.ts'
import { forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { type Comment, COMMENTS_PAGE, commentProblem, type CommentPage, tidyComment } from './comments.ts'

/** Who asks; null without a session. */
type Asker = { id: string } | null

const ORDER = 'comments'

const withAuthors = (db: Db) =>
  db
    .selectFrom('comments')
    .leftJoin('profiles', 'profiles.id', 'comments.user_id')
    .select([
      'comments.id',
      'comments.user_id',
      'comments.dog_id',
      'content',
      'comments.created_at',
      'profiles.alias',
      'profiles.emoji',
    ])

type Row = Omit<Comment, 'alias' | 'emoji'> & { alias: string | null; emoji: string | null }
const toComment = (row: Row): Comment => ({
  ...row,
  alias: row.alias ?? FALLBACK_ALIAS,
  emoji: row.emoji ?? FALLBACK_EMOJI,
})

/** A dog's newest comments after `cursor`, by index `comments_dog`. */
function pageOfRows(db: Db, dogId: string, limit: number, cursor?: Cursor) {
  let rows = withAuthors(db).where('dog_id', '=', dogId)
  if (cursor)
    rows = rows.where((eb) =>
      eb(eb.refTuple('comments.created_at', 'comments.id'), '<', eb.tuple(cursor.value, cursor.id)),
    )
  return rows.orderBy('comments.created_at', 'desc').orderBy('comments.id', 'desc').limit(limit)
}

/** @throws AppError 404, with the words of spec.md §2 */
async function needDog(db: Db, id: string) {
  const dog = await db
    .selectFrom('dogs')
    .select(['id', 'name', 'owner_id', 'discoverer_id', 'comments_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!dog) throw notFound('El perro que buscas no existe o ha sido eliminado.')
  return dog
}

/** A page of a dog's comments, newest first. @throws AppError 404 for an unknown dog, 422 for a bad cursor */
export async function listComments(
  db: Db,
  dogId: string,
  { cursor, limit = COMMENTS_PAGE }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<CommentPage> {
  await needDog(db, dogId)
  const at = cursor === undefined ? undefined : readCursor(cursor, ORDER)
  const rows = await pageOfRows(db, dogId, limit + 1, at).execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    comments: rows.slice(0, limit).map(toComment),
    nextCursor: last ? writeCursor({ order: ORDER, value: last.created_at, id: last.id }) : null,
  }
}

/**
 * Says something about a dog. Kept as typed: whoever shows it escapes it.
 * @throws AppError 401, 422 with the sentence for `content`, 404
 */
export async function addComment(db: Db, user: Asker, dogId: string, text: string, now = Date.now()): Promise<Comment> {
  if (!user) throw unauthenticated()
  const content = tidyComment(text)
  const problem = commentProblem(content)
  if (problem) throw invalid(problem, { content: problem })
  const id = randomUUID()
  return db.transaction().execute(async (trx) => {
    const dog = await needDog(trx, dogId)
    await trx.insertInto('comments').values({ id, dog_id: dogId, user_id: user.id, content, created_at: now }).execute()
    const comment = toComment(await withAuthors(trx).where('comments.id', '=', id).executeTakeFirstOrThrow())
    await notifyComment(trx, comment, dog, now)
    const data = { action: 'added' as const, id, dog_id: dogId, comments: dog.comments_count + 1, comment }
    await publish(trx, { type: 'comment', data }, now)
    return comment
  })
}

/** Takes back a comment of one's own (spec.md §6). @throws AppError 401, 404, 403 for somebody else's */
export async function deleteComment(db: Db, user: Asker, id: string): Promise<void> {
  if (!user) throw unauthenticated()
  await db.transaction().execute(async (trx) => {
    const comment = await trx
      .selectFrom('comments')
      .select(['user_id', 'dog_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!comment) throw notFound('Este comentario ya no existe.')
    if (comment.user_id !== user.id) throw forbidden('Solo puedes eliminar tus propios comentarios.')
    await removeComment(trx, { id, dog_id: comment.dog_id })
  })
}

/** Takes a comment away and tells the open pages; whose it is has been asked before. Call it inside a transaction. */
export async function removeComment(trx: Db, { id, dog_id }: { id: string; dog_id: string }): Promise<void> {
  await trx.deleteFrom('comments').where('id', '=', id).execute()
  const { comments_count: comments } = await needDog(trx, dog_id)
  await publish(trx, { type: 'comment', data: { action: 'removed', id, dog_id, comments } })
}
