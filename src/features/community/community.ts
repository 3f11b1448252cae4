/** The whole community in three figures. */
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
}

/** How many members a page of the ranking holds. */
export const RANKING_PAGE_SIZE = 50
