/** A member's place in the ranking: 1 is the first, of so many members. */
export interface Standing {
  rank: number
  members: number
}

/** A community smaller than this is too small for a percentile to say anything. */
const PERCENTILE_MIN_MEMBERS = 10

/**
 * The ranking on «Mi Pokédex de Razas»: a dash for visitors and for who has no dog yet, a fixed text in a small community (docs/product.md §6.5), and from
 * there on the share of members who stand where this one does or before, rounded up.
 */
export function rankingText(standing: Standing | null, dogs: number): string {
  if (!standing || dogs === 0) return '—'
  if (standing.members < PERCENTILE_MIN_MEMBERS) return 'Top 10%'
  return `Top ${Math.max(1, Math.ceil((100 * standing.rank) / standing.members))}%`
}
