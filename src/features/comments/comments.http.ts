import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import type { APIContext } from 'astro'
import { sessionEnded } from '#lib/errors.ts'
import * as z from 'zod/mini'
import { validate, endpoint, pathId, readJson, requireUser } from '#server/endpoint.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { getEnv } from '#server/env.ts'
import { limitNetworkShare } from '#server/limits/network-share.ts'
import { limitAmount, limitSuccessful } from '#server/limits/rate-limit.ts'
import { commentBytesPerDay } from '#features/photos/storage-budget.server.ts'
import { addComment, deleteComment, listComments } from './comments.server.ts'
import { COMMENT_MAX_BYTES, COMMENT_TEXTS, COMMENTS_PAGE_MAX } from './comments.ts'
import { addedCommentAnswer, commentsAnswer } from './answers.ts'

const NETWORK_BYTES_ERROR = 'Hoy ya se ha escrito muchísimo desde tu red. Mañana podrás seguir.'
const COMMENTS_PER_MINUTE = 10
const COMMENTS_PER_HOUR = 60

const commentSchema = z.object({
  content: z.string(COMMENT_TEXTS.empty).check(z.maxLength(COMMENT_MAX_BYTES, COMMENT_TEXTS.heavy)),
  /** Whose page it was typed on; programs send none. */
  member: z.optional(z.string()),
})

/** The query of `GET /api/dogs/{id}/comments`. */
export const commentsQuerySchema = z.object({
  cursor: z.optional(z.string().check(z.maxLength(500, 'La página pedida no existe.'))),
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,4}$/, COMMENT_TEXTS.limit)),
      z.pipe(
        z.transform((value: string) => Number(value)),
        z.number().check(z.minimum(1, COMMENT_TEXTS.limit), z.maximum(COMMENTS_PAGE_MAX, COMMENT_TEXTS.limit)),
      ),
    ),
  ),
})

/** `GET /api/dogs/{id}/comments` */
export const getComments = endpoint({ 200: commentsAnswer }, (context) => {
  const { searchParams } = context.url
  const query = { cursor: searchParams.get('cursor') || undefined, limit: searchParams.get('limit') || undefined }
  return listComments(context.locals.db, pathId(context), {
    ...validate(commentsQuerySchema, query),
    user: context.locals.user,
  })
})

/** `POST /api/dogs/{id}/comments` */
export const createComment = endpoint({ 201: addedCommentAnswer }, async (context) => {
  const dogId = pathId(context)
  const user = requireUser(context)
  await assertDiskSpace()
  const { content, member } = await readJson(context, commentSchema)
  if (member !== undefined && member !== user.id) throw sessionEnded()
  return { comment: await commentAsMember(context, dogId, content) }
})

/** Comments on the dog as the request's member, within their limits. @throws AppError as `addComment` */
export async function commentAsMember(context: Pick<APIContext, 'locals'>, dogId: string, content: string) {
  const user = requireUser(context)
  await assertDiskSpace()
  const env = getEnv()
  const bytes = Buffer.byteLength(content)
  const maxBytes = commentBytesPerDay(env.uploadBytesPerDay)
  if (maxBytes > 0) await limitAmount('comment-bytes', user.id, bytes, maxBytes, DAY_SECONDS, COMMENT_TEXTS.manyBytes)
  await limitNetworkShare(
    'comment bytes of a network',
    context.locals.network,
    bytes,
    commentBytesPerDay(env.siteUploadBytesPerDay),
    NETWORK_BYTES_ERROR,
  )
  const ofMinute = limitSuccessful('comment-minute', user.id, COMMENTS_PER_MINUTE, 60, COMMENT_TEXTS.fast)
  const ofHour = limitSuccessful('comment-hour', user.id, COMMENTS_PER_HOUR, HOUR_SECONDS, COMMENT_TEXTS.many)
  const add = () => addComment(context.locals.db, user, dogId, content, Date.now(), env)
  return ofMinute(() => ofHour(add))
}

/** `DELETE /api/comments/{id}` */
export const removeComment = endpoint({ 204: null }, async (context) => {
  await deleteComment(context.locals.db, context.locals.user, pathId(context))
  return new Response(null, { status: 204 })
})
