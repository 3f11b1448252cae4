/** The community's year, by counts alone: it names nobody and no dog. */
export interface CommunityYear {
  year: number
  dogs: number
  likes: number
  breedCount: number
  /** Most first, at most TOP_COMMUNITY_BREEDS. */
  breeds: readonly { slug: string; name: string; dogs: number }[]
  provinces: readonly { id: string; name: string; dogs: number }[]
  /** Dogs added from January to December. */
  months: readonly number[]
  computedAt: number
}

export const TOP_COMMUNITY_BREEDS = 10
export const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'] as const
