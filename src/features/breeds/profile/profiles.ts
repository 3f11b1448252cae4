import type { TraitName, TraitSource, TraitValue } from './traits.ts'

/** The texts of a breed's page below its lead, in their order. */
export const SECTIONS = {
  character: 'Carácter y convivencia',
  health: 'Salud',
  care: 'Cuidados',
  history: 'Historia',
} as const
export type SectionName = keyof typeof SECTIONS
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[]

/** Least and greatest. */
export type Range = readonly [min: number, max: number]
export interface RangesBySex {
  males?: Range
  females?: Range
}

/** A breed's row in data/breed-profiles: what its page tells besides the facts of data/razas.json. What is not known is left out. */
export interface BreedProfile {
  /** 110 to 155 characters for search results and lists: name, origin, purpose. */
  summary: string
  /** The name in the page's title, where people know the breed by another one as well. */
  titleName?: string
  sections: Partial<Record<SectionName, string>>
  traits: Partial<Record<TraitName, readonly [TraitValue, TraitSource]>>
  bySex?: { height_cm?: RangesBySex; weight_kg?: RangesBySex }
  /** Where the heights and the weights come from, in Spanish. */
  figureSources?: { height?: string; weight?: string }
}

/** The value of a bar; undefined where it is not known. */
export const traitOf = (profile: BreedProfile | undefined, name: TraitName): TraitValue | undefined =>
  profile?.traits[name]?.[0]
