import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { validate, endpoint, ownJson, pathId, requireUser } from '#server/endpoint.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { LIKE_STATES_MAX, LIKERS_PAGE_MAX, LIKES_PER_MINUTE } from './likes.ts'
import { like, listLikedIds, listLikers, readLikeStates, unlike } from './likes.server.ts'
import { likedAnswer, likersAnswer, likeStateAnswer } from './answers.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'

type Locals = Pick<APIContext, 'locals'>

async function requireUserWithinLimit(context: Locals) {
  const user = requireUser(context)
  await limit('like', user.id, LIKES_PER_MINUTE, MINUTE_SECONDS)
  return user
}

/** Likes the dog as the request's member, within their limits. @throws AppError as `like` */
export async function likeAsMember(context: Locals, dogId: string) {
  const user = await requireUserWithinLimit(context)
  await assertDiskSpace()
  return like(context.locals.db, user, dogId)
}

/** `PUT /api/dogs/{id}/like` */
export const likeDog = endpoint({ 200: likeStateAnswer }, (context) => likeAsMember(context, pathId(context)))

/** `DELETE /api/dogs/{id}/like` */
export const unlikeDog = endpoint({ 200: likeStateAnswer }, async (context) =>
  unlike(context.locals.db, await requireUserWithinLimit(context), pathId(context)),
)

const LIMIT_TEXT = `El límite debe estar entre 1 y ${LIKERS_PAGE_MAX}.`

/** The query of `GET /api/dogs/{id}/likes`. */
export const likersQuerySchema = z.object({
  cursor: z.optional(z.string('La página pedida no existe.').check(z.maxLength(500, 'La página pedida no existe.'))),
  limit: z.optional(
    z.coerce
      .number(LIMIT_TEXT)
      .check(z.int(LIMIT_TEXT), z.minimum(1, LIMIT_TEXT), z.maximum(LIKERS_PAGE_MAX, LIMIT_TEXT)),
  ),
})

/** `GET /api/dogs/{id}/likes` */
export const getLikers = endpoint({ 200: likersAnswer }, (context) => {
  const page = validate(likersQuerySchema, Object.fromEntries(context.url.searchParams))
  return listLikers(context.locals.db, pathId(context), { ...page, user: context.locals.user })
})

const DOGS_TEXT = `Indica entre 1 y ${LIKE_STATES_MAX} perros.`

const mineQuerySchema = z.object({
  dogs: z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(LIKE_STATES_MAX * 37, DOGS_TEXT)),
        z.transform((text: string) => text.split(',')),
      ),
      z.array(z.uuid(DOGS_TEXT)).check(z.maxLength(LIKE_STATES_MAX, DOGS_TEXT)),
    ),
  ),
})

/** `GET /api/likes`: the dogs that the member liked last; with `?dogs=id,id` also the like state of these. Unchanged likes are a 304. */
export const listMyLikes = endpoint({ 200: likedAnswer, 304: null }, async (context) => {
  const { id } = requireUser(context)
  const { dogs } = validate(mineQuerySchema, Object.fromEntries(context.url.searchParams))
  const liked = await listLikedIds(context.locals.db, id)
  if (dogs) return { liked, dogs: await readLikeStates(context.locals.db, id, dogs) }
  return ownJson(context, { liked })
})
