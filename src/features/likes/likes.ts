import type * as z from 'zod/mini'
import type { likeStateAnswer, likedAnswer, likerAnswer, likersAnswer } from './answers.ts'
/** A member who likes a dog, as lists show them. */
export type Liker = z.output<typeof likerAnswer>

/** Whether the requesting member likes a dog, and how many members do. */
export type LikeState = z.output<typeof likeStateAnswer>

export type LikerPage = z.output<typeof likersAnswer>

/** What a like button says before the dog's name. */
export const LIKE_LABEL = 'Me gusta '

export const LIKERS_PAGE_SIZE = 50
export const LIKERS_PAGE_MAX = 100

/** `GET /api/likes`: the dogs that the member liked last, and the like state of the dogs of `?dogs=`. */
export type LikedAnswer = z.output<typeof likedAnswer>

/** `GET /api/likes`: the most liked dogs that it returns, and the most dogs that a request may name. */
export const LIKED_MAX = 1000
export const LIKE_STATES_MAX = 100

/** Stands for a set of likes that is too large to compare, or that the server does not know. */
export const UNKNOWN_LIKES = '-'

/**
 * A short text for a set of dogs, in whatever order they come: the browser compares that of the likes that it has stored with the
 * server's, which is in the page. UNKNOWN_LIKES for LIKED_MAX dogs and more: the browser may then have the latest ones only.
 */
export function fingerprintLikes(dogIds: ReadonlySet<string>): string {
  if (dogIds.size >= LIKED_MAX) return UNKNOWN_LIKES
  let [first, last] = [0, 0]
  for (const id of dogIds) {
    first ^= Number.parseInt(id.slice(0, 8), 16)
    last ^= Number.parseInt(id.slice(-8), 16)
  }
  return [dogIds.size, first >>> 0, last >>> 0].map((part) => part.toString(36)).join('.')
}

/** Likes per member, not per address, because one office shares an address. Far above what a person can press. */
export const LIKES_PER_MINUTE = 1200

/** localStorage key: 'off' where likes are silent. */
export const SOUND_KEY = 'perrario-sound'

/** localStorage key of the member's liked dogs, so that hearts need not wait for the network. */
export const LIKED_KEY = 'perrario-liked'

/**
 * A dog's likers in a few words (docs/product.md §13.2): «0» for none, the alias of the only one, else the first alias and
 * the number of others, «Ana 2+».
 * @param first the first liker's alias; empty where the reader may see none of them
 */
export function likerSummary(count: number, first: string): string {
  if (count <= 0) return '0'
  if (!first) return count === 1 ? '1 persona' : `${count} personas`
  return count === 1 ? first : `${first} ${count - 1}+`
}
