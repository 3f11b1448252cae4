/** The ranking on «Mi Pokédex de Razas» (spec.md §2): a fixed text for members, a dash for visitors. */
export const rankingText = (signedIn: boolean): string => (signedIn ? 'Top 10%' : '—')

/** Where it stands. */
export const MINE_BASE = '/?tab=mine'
