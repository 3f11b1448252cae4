/** Totals of the whole community. */
export interface CommunityTotals {
  users: number
  likes: number
  breeds: number
}

/**
 * A member in the ranking; `rank` starts at 1 and is shared by members with as many dogs and likes («1, 2, 2, 4»). Likes
 * are those the member gave (docs/product.md §1.3).
 */
export interface RankedMember {
  rank: number
  id: string
  alias: string
  emoji: string
  verified: boolean
  dogs: number
  likes: number
  breeds: number
}

export interface RankingPage {
  members: RankedMember[]
  nextCursor: string | null
  /** The order has changed since the pages before: a member may be on none, or on two. */
  isReordered: boolean
}

/** Members per page of the ranking. */
export const RANKING_PAGE_SIZE = 50
