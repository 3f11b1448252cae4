import { madridDay } from '#lib/dates.ts'
import { foldText } from '#lib/text/text.ts'
import { replaceConfusables } from '#lib/text/confusables.ts'
import { replaceLetterShapes } from '#features/moderation/letter-shapes.ts'

/** Maximum length of an alias, in characters as a person counts them (docs/product.md §9.3). */
export const ALIAS_LIMIT = 20

/** A generated alias is this prefix and a number below GENERATED_BELOW (docs/product.md §9.4). */
export const GENERATED_PREFIX = 'Perrit'
const GENERATED_ALIAS = new RegExp(`^${GENERATED_PREFIX}\\d+$`)
/** Whether nobody has chosen the alias yet. */
export const isGeneratedAlias = (alias: string): boolean => GENERATED_ALIAS.test(alias)
export const GENERATED_BELOW = 100_000
export const GENERATED_ATTEMPTS = 10

/** Emojis a new profile may start with. */
export const STARTING_EMOJIS = [
  '🐶',
  '🐕',
  '🦮',
  '🐩',
  '🐕‍🦺',
  '🐺',
  '🦊',
  '🦝',
  '🐻',
  '🐼',
  '🐨',
  '🐯',
  '🦁',
  '🐮',
  '🐷',
  '🐸',
  '🐵',
  '🐔',
  '🐧',
  '🐦',
  '🦉',
  '🦄',
  '🐝',
  '🐢',
  '🐙',
  '🦋',
  '🌻',
  '🍀',
  '🌵',
  '🍄',
  '⭐',
  '🌈',
  '⚽',
  '🎈',
  '🥐',
  '🍓',
] as const

/** The alias without case, accents, confusable letters and repeated spaces: equal for spellings of one name. */
export const normalizeAlias = (alias: string): string => foldText(replaceConfusables(alias)).replace(/\s+/g, ' ').trim()

/** Of the letters and digits that look alike in our type, the ones that stand for all. A capital «I» looks like «l». */
const SHAPES: Readonly<Record<string, string>> = { i: 'l', 1: 'l', '|': 'l', 0: 'o', m: 'rn', w: 'vv' }

/** What the key of a member is followed by, and then by their id, where an older member's alias has the same key. */
export const KEY_SUFFIX = '#'

/**
 * Key by which aliases are unique (docs/product.md §9.3): `normalizeAlias` without spaces and signs, and with one letter for all that
 * look alike. «!» before a letter and «¡» after one look like «i». The key of an alias begins with the key of its beginning, by which the
 * admin searches. A text of signs alone is its own key.
 */
export function aliasKey(alias: string): string {
  const name = normalizeAlias(replaceLetterShapes(alias))
  const letters = name.replace(/!(?=[a-z0-9])|(?<=[a-z0-9])¡/g, 'l').replace(/[!-/:-@[-`{}~ ·¡¿]/g, '')
  return letters.replace(/[i1|0mw]/g, (sign) => SHAPES[sign]!) || name
}

/** A member's public data (docs/product.md §9.2). `created_at` in milliseconds. */
export interface Member {
  id: string
  alias: string
  emoji: string
  verified: boolean
  created_at: number
  /** Whether they own at least one dog. */
  isOwner: boolean
  dogs: number
  breeds: number
  likes: number
}

/** Year shown without a known date (docs/product.md §9.2). */
export const DEFAULT_YEAR = 2024

/** «Miembro desde 2026», in Madrid's time zone. `createdAt` in milliseconds. */
export const memberSince = (createdAt: number | null): string =>
  `Miembro desde ${createdAt ? Math.floor(madridDay(createdAt) / 10_000) : DEFAULT_YEAR}`

export const PROFILE_TABS = ['perros', 'razas', 'likes'] as const
export type ProfileTab = (typeof PROFILE_TABS)[number]

/** A page of the tab `razas`: the member's album beside the viewer's. */
export const COMPARISON_TAB = 'comparar'

/** The tab named in an address; `perros` for any other name. */
export const parseProfileTab = (name: string | null): ProfileTab =>
  name === COMPARISON_TAB ? 'razas' : (PROFILE_TABS.find((tab) => tab === name) ?? 'perros')

/** Texts of an empty tab, for the member and for others. */
export const EMPTY_TAB_TEXTS: Record<ProfileTab, { own: string; other: (alias: string) => string }> = {
  perros: {
    own: 'Todavía no has subido ningún perro.',
    other: (alias) => `${alias} todavía no ha subido ningún perro.`,
  },
  razas: {
    own: 'No has desbloqueado razas aún',
    other: (alias) => `${alias} todavía no ha desbloqueado ninguna raza.`,
  },
  likes: {
    own: 'Todavía no te ha gustado ningún perro.',
    other: (alias) => `A ${alias} todavía no le ha gustado ningún perro.`,
  },
}
