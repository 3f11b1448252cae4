import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { check, endpoint, pathId, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { LIKED_ASKED_MAX, type LikedAnswer, LIKERS_LIMIT } from './likes.ts'
import { like, likedIds, likersOf, likeStates, unlike } from './likes.server.ts'

/** A member, not an address: people of one office share one. Well above what a thumb can do. */
const LIKES = 1200
const MINUTE = 60

async function member(context: APIContext) {
  const user = requireUser(context)
  await limit('like', user.id, LIKES, MINUTE)
  return user
}

/** `PUT /api/dogs/{id}/like` */
export const add = endpoint(async (context) => like(context.locals.db, await member(context), pathId(context)))

/** `DELETE /api/dogs/{id}/like` */
export const remove = endpoint(async (context) => unlike(context.locals.db, await member(context), pathId(context)))

const WRONG_LIMIT = `El límite debe estar entre 1 y ${LIKERS_LIMIT}.`

/** The query of `GET /api/dogs/{id}/likes`. */
export const likersQuerySchema = z.object({
  cursor: z.optional(z.string('La página pedida no existe.').check(z.maxLength(500, 'La página pedida no existe.'))),
  limit: z.optional(
    z.coerce
      .number(WRONG_LIMIT)
      .check(z.int(WRONG_LIMIT), z.minimum(1, WRONG_LIMIT), z.maximum(LIKERS_LIMIT, WRONG_LIMIT)),
  ),
})

/** `GET /api/dogs/{id}/likes` */
export const likers = endpoint((context) => {
  const page = check(likersQuerySchema, Object.fromEntries(context.url.searchParams))
  return likersOf(context.locals.db, pathId(context), { ...page, user: context.locals.user })
})

const WRONG_DOGS = `Indica entre 1 y ${LIKED_ASKED_MAX} perros.`

const mineSchema = z.object({
  dogs: z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(LIKED_ASKED_MAX * 37, WRONG_DOGS)),
        z.transform((text: string) => text.split(',')),
      ),
      z.array(z.uuid(WRONG_DOGS)).check(z.maxLength(LIKED_ASKED_MAX, WRONG_DOGS)),
    ),
  ),
})

/** `GET /api/likes`: the dogs that the member liked last; with `?dogs=id,id` also how these stand. */
export const mine = endpoint(async (context): Promise<LikedAnswer> => {
  const { id } = requireUser(context)
  const { dogs } = check(mineSchema, Object.fromEntries(context.url.searchParams))
  const liked = await likedIds(context.locals.db, id)
  return dogs ? { liked, dogs: await likeStates(context.locals.db, id, dogs) } : { liked }
})
