/** Someone who likes a dog, as lists show them. */
export interface Liker {
  id: string
  alias: string
  emoji: string
}

/** Whether the asking member likes a dog, and how many do. */
export interface LikeState {
  liked: boolean
  likes: number
}

export interface LikerPage {
  likers: Liker[]
  nextCursor: string | null
}

export const LIKERS_PAGE_SIZE = 50
export const LIKERS_PAGE_MAX = 100

/** `GET /api/likes`: the dogs that the member liked last, and how the dogs of `?dogs=` stand. */
export interface LikedAnswer {
  liked: string[]
  dogs?: Record<string, LikeState>
}

/** As many of a member's liked dogs as `GET /api/likes` tells, and as many as it may be asked about. */
export const LIKED_MAX = 1000
export const LIKE_STATES_MAX = 100

/** Where a browser keeps that likes are to be silent ('off'). */
export const SOUND_KEY = 'perrario-sound'

/** Where a browser keeps the member's liked dogs, so that hearts need not wait for the network. */
export const LIKED_KEY = 'perrario-liked'

/**
 * Who likes a dog, in few words (docs/product.md §13.2): «0» for nobody, the alias for one, else the first alias and how many more.
 * @param first the first liker's alias; empty where there is none whom the reader meets
 */
export function likerSummary(count: number, first: string): string {
  if (count <= 0) return '0'
  if (!first) return count === 1 ? '1 persona' : `${count} personas`
  return count === 1 ? first : `${first} y ${count - 1} más`
}
