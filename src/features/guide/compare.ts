/** The parameters of the address, one for each breed. */
export const COMPARE_PARAMS = ['a', 'b', 'c'] as const

/** What an address asks to compare. */
export interface Comparison<B> {
  /** As many as were found, without repetition. */
  breeds: B[]
  /** What the fields hold. */
  fields: { name: (typeof COMPARE_PARAMS)[number]; text: string; problem: string | null }[]
  /** Whether a breed was named more than once. */
  isRepeated: boolean
  /** Whether the address named more than three. */
  hasMore: boolean
}
