import { COMPARISON_TAB } from '#features/profiles/profiles.ts'
import { paths } from '#lib/paths.ts'
import type { AlbumView } from './album.ts'

/** Whose breeds a comparison shows: those the viewer has and the other member lacks, or the other way round. */
export type ComparisonSide = 'mine' | 'theirs'

/** Two albums, of one side. */
export interface Comparison {
  side: ComparisonSide
  /** The breeds of this side, with the dogs of the member who has them. */
  album: AlbumView
  base: string
  /** Breeds of each side. */
  counts: Record<ComparisonSide, number>
}

const SIDE_PARAMS: Record<ComparisonSide, string> = { mine: 'le-falta', theirs: 'me-falta' }

/** The side that an address names; `theirs` for any other name. */
export const readComparisonSide = (params: URLSearchParams): ComparisonSide =>
  params.get('lado') === SIDE_PARAMS.mine ? 'mine' : 'theirs'

/** The address of one side of the comparison with a member. */
export const comparisonHref = (memberId: string, side: ComparisonSide): string =>
  `${paths.member(memberId)}?tab=${COMPARISON_TAB}&lado=${SIDE_PARAMS[side]}`

/** The side's name in the switch, in a sentence, and what it says where there is no such breed (docs/product.md §6.9). */
export const comparisonTexts = (side: ComparisonSide, alias: string): { label: string; title: string; none: string } =>
  side === 'mine'
    ? {
        label: 'Le faltan',
        title: `Tú la tienes, a ${alias} le falta`,
        none: `No tienes ninguna raza que le falte a ${alias}.`,
      }
    : {
        label: 'Te faltan',
        title: `${alias} la tiene, a ti te falta`,
        none: `${alias} no tiene ninguna raza que te falte.`,
      }
