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

export const LIKERS_DEFAULT = 50
export const LIKERS_LIMIT = 100

/** As many of a member's liked dogs as a browser keeps. */
export const LIKED_MAX = 1000

/**
 * Who likes a dog, in few words (spec.md §2): «0» for nobody, the alias for one, else the first alias and how many more.
 * @param first the first liker's alias; empty where there is none
 */
export function likerSummary(count: number, first: string): string {
  if (count <= 0) return '0'
  return count === 1 ? first : `${first} y ${count - 1}+`
}
