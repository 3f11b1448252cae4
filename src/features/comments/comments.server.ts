import { randomUUID } from 'node:crypto'
import type { HiddenCause } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { publish } from '#features/live/live.server.ts'
import { notifyComment } from '#features/notifications/comment-notifications.server.ts'
import {
  deleteCommentNotifications,
  deleteTargetNotifications,
} from '#features/notifications/target-notifications.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertNotBlocked, visibleTo } from '#features/moderation/visibility.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { spendCommentStorage, type StorageLimits } from '#features/photos/storage-budget.server.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import { decodeCursor, type DogPage, encodeCursor } from '#lib/cursor.ts'
import { forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { discardCases, findContent } from '#features/moderation/content.server.ts'
import { openTextCase } from '#features/moderation/reviews.server.ts'
import { type CommentRow, listHiddenComments } from './own-comments.server.ts'
import {
  type Comment,
  COMMENTS_PAGE_MAX_BYTES,
  COMMENTS_PAGE_SIZE,
  commentProblem,
  type CommentPage,
  tidyComment,
} from './comments.ts'
import type { Requester } from '#lib/auth/current-user.ts'

const ORDER = 'comments'

const selectWithAuthors = (db: Db) =>
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

/** A published comment with its author's name. @throws Error where there is none */
export const readComment = async (db: Db, id: string): Promise<Comment> =>
  toComment(await selectWithAuthors(db).where('comments.id', '=', id).executeTakeFirstOrThrow())

/** A hidden comment as its author, who alone sees it, is shown it. */
async function toOwnComment(db: Db, row: Omit<CommentRow, 'hidden'>, cause: HiddenCause): Promise<Comment> {
  const author = await db
    .selectFrom('profiles')
    .select(['alias', 'emoji'])
    .where('id', '=', row.user_id)
    .executeTakeFirst()
  const comment = toComment({ ...row, alias: author?.alias ?? null, emoji: author?.emoji ?? null })
  return { ...comment, held: cause === 'words' ? 'waits' : 'hidden' }
}

/** The member's comments on a dog that are hidden, newest first; at most the newest 20. */
export async function listOwnHidden(db: Db, dogId: string, user: Requester): Promise<Comment[]> {
  if (!user) return []
  const rows = await listHiddenComments(db, dogId, user.id)
  return Promise.all(rows.map(({ cause, ...row }) => toOwnComment(db, row, cause)))
}

/** A dog's comments, newest first, by index `comments_dog`. */
const selectComments = prepareQuery((db, { dogId, viewerId, limit, at, id }: DogPage) =>
  selectWithAuthors(db)
    .where('dog_id', '=', dogId)
    .where(visibleTo(viewerId, 'comments').of('comments.user_id'))
    .$if(id !== undefined, (after) =>
      after.where((eb) => eb(eb.refTuple('comments.created_at', 'comments.id'), '<', eb.tuple(at!, id!))),
    )
    .orderBy('comments.created_at', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(limit),
)

/** @throws AppError 404, with the text of docs/product.md §5.1 */
async function findDogOrThrow(db: Db, id: string) {
  const dog = await db
    .selectFrom('dogs')
    .select(['id', 'name', 'owner_id', 'discoverer_id', 'comments_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!dog) throw notFound('El perro que buscas no existe o ha sido eliminado.')
  return dog
}

interface CommentsQuery {
  cursor?: string | undefined
  limit?: number | undefined
  /** The reader. Comments of members with a block between them are left out; the reader's own hidden ones are added. */
  user?: Requester
}

/** How many of the first rows one page may hold by their bytes: one at least. */
function countThatFit(rows: readonly Row[]): number {
  let bytes = 0
  const beyond = rows.findIndex(({ content }) => (bytes += Buffer.byteLength(content)) > COMMENTS_PAGE_MAX_BYTES)
  return beyond < 0 ? rows.length : Math.max(1, beyond)
}

const newestFirst = (a: Comment, b: Comment) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)

/**
 * A page of a dog's comments, newest first. A member's first page also has their own hidden comments.
 * @throws AppError 404 for an unknown dog, 422 for a bad cursor
 */
export async function listComments(db: Db, dogId: string, query: CommentsQuery = {}): Promise<CommentPage> {
  await findDogOrThrow(db, dogId)
  return listCommentsOfDog(db, dogId, query)
}

/** `listComments` for a dog that is known to exist. @throws AppError 422 for a bad cursor */
export async function listCommentsOfDog(
  db: Db,
  dogId: string,
  { cursor, limit = COMMENTS_PAGE_SIZE, user = null }: CommentsQuery = {},
): Promise<CommentPage> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor, ORDER)
  const after = { at: from?.value, id: from?.id }
  const rows = await selectComments(db, { dogId, viewerId: user?.id, limit: limit + 1, ...after })
  const shown = rows.slice(0, Math.min(limit, countThatFit(rows)))
  const last = shown.length < rows.length ? shown.at(-1) : undefined
  const own = from ? [] : await listOwnHidden(db, dogId, user)
  return {
    comments: [...own, ...shown.map(toComment)].toSorted(newestFirst),
    nextCursor: last ? encodeCursor({ order: ORDER, value: last.created_at, id: last.id }) : null,
  }
}

/**
 * Adds a comment to a dog. It is stored as typed, and escaped where it is shown. One that reads like an offer of sale or a
 * slur is public at once and a case for the admin.
 * @param storage what the site stores in a day; by default anything
 * @throws AppError 401; 403 for a banned member, or one with a block with the dog's owner or discoverer; 422 with the
 *   text for `content`; 404; 503 where the site has stored a day's comments
 */
export async function addComment(
  db: Db,
  user: Requester,
  dogId: string,
  text: string,
  now = Date.now(),
  storage: Pick<StorageLimits, 'siteUploadBytesPerDay'> = { siteUploadBytesPerDay: 0 },
): Promise<Comment> {
  if (!user) throw unauthenticated()
  const content = tidyComment(text)
  const problem = commentProblem(content)
  if (problem) throw invalid(problem, { content: problem })
  const id = randomUUID()
  const isDoubted = findTextFlag(content) !== null
  return transact(db, async (trx) => {
    await assertNotBanned(trx, user.id, now)
    const dog = await findDogOrThrow(trx, dogId)
    await assertNotBlocked(trx, user.id, [dog.owner_id, dog.discoverer_id])
    await spendCommentStorage(trx, storage, Buffer.byteLength(content), now)
    await trx
      .insertInto('comments_all')
      .values({ id, dog_id: dogId, user_id: user.id, content, created_at: now })
      .execute()
    const comment = await readComment(trx, id)
    await notifyComment(trx, comment, dog, now)
    await publishAddedComment(trx, comment, now, dog.comments_count + 1)
    if (isDoubted) await openTextCase(trx, { kind: 'comment', id, dogId, memberIds: [user.id] }, user.id, now)
    return comment
  })
}

/** Publishes a comment that its dog has now. */
export const publishAddedComment = (
  trx: Trx,
  { id, dog_id, user_id }: Pick<CommentRow, 'id' | 'dog_id' | 'user_id'>,
  now = Date.now(),
  count?: number,
): Promise<void> => {
  const about = { thingId: id, dogId: dog_id, actorId: user_id, ...(count !== undefined && { count }) }
  return publish(trx, { type: 'comment', ...about, action: 'added' }, now)
}

/**
 * Deletes one of the member's own comments (docs/product.md §19.1), also one that is hidden, by itself or with its dog.
 * @throws AppError 401; 404; 403 for another's
 */
export async function deleteComment(db: Db, user: Requester, id: string): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    const comment = await findContent(trx, 'comment', id)
    const isShown = async () =>
      (await trx.selectFrom('comments').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    if (!comment || (comment.user_id !== user.id && !(await isShown()))) throw notFound('Este comentario ya no existe.')
    if (comment.user_id !== user.id) throw forbidden('Solo puedes eliminar tus propios comentarios.')
    await removeComment(trx, id)
  })
}

/**
 * Deletes a comment with the notifications that quote it (one of several comments quotes the one before) and its cases, and publishes the removal.
 * The caller has checked the rights. Call it inside a transaction.
 */
export const removeComment = (trx: Trx, id: string): Promise<void> => removeComments(trx, [id])

/** The same of several, also of hidden ones. */
export async function removeComments(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await trx.deleteFrom('comments_all').where('id', 'in', ids).returningAll().execute()
  await deleteCommentNotifications(trx, ids)
  await announceGone(
    trx,
    rows.filter(({ hidden }) => hidden === 0),
  )
  await deleteTargetNotifications(trx, ids)
  await discardCases(trx, 'comment', ids)
}

/** Publishes that nobody sees these comments any more. */
export const announceGone = (trx: Trx, rows: readonly CommentRow[]): Promise<void> =>
  publish(
    trx,
    rows.map(({ id, dog_id }) => ({ type: 'comment', thingId: id, dogId: dog_id, action: 'removed' })),
  )
