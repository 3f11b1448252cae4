import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** Whether the requesting member likes a dog, and how many members do. */
export const likeStateAnswer = z.object({ liked: z.boolean(), likes: z.int().check(z.minimum(0)) })

/** A member who likes a dog, as lists show them. */
export const likerAnswer = z.object({ id: z.uuid(), alias: z.string(), emoji: z.string() })

/** `GET /api/dogs/{id}/likes`: a page of the dog's likers, the latest first. */
export const likersAnswer = z.object({ likers: z.array(likerAnswer), nextCursor: z.nullable(z.string()) })

/** `GET /api/likes`: the dogs that the member liked last, and the like state of the dogs of `?dogs=`. */
export const likedAnswer = z.object({
  liked: z.array(z.uuid()),
  dogs: z.exactOptional(z.record(z.uuid(), likeStateAnswer)),
})
