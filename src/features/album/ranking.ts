/** A member's rank, from 1, among all members. */
export interface MemberRank {
  rank: number
  members: number
}

/** In a smaller community a percentile has no meaning. */
const PERCENTILE_MIN_MEMBERS = 10

/**
 * The ranking on «Mi Pokédex de Razas» (docs/product.md §6.5): a dash for visitors and members without a dog, a fixed text in a
 * small community, otherwise the percentage of members at this rank or above, rounded up.
 */
export function rankingText(own: MemberRank | null, dogs: number): string {
  if (!own || dogs === 0) return '—'
  if (own.members < PERCENTILE_MIN_MEMBERS) return 'Top 10%'
  return `Top ${Math.max(1, Math.ceil((100 * own.rank) / own.members))}%`
}
