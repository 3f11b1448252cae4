import { madridDay } from '#lib/dates.ts'
import { foldText } from '#lib/text/text.ts'
import { replaceConfusables } from '#lib/text/confusables.ts'

/** The longest alias, in characters as a person counts them (docs/product.md §9.3). */
export const ALIAS_LIMIT = 20

/** Shown where a person has no alias, or none that we know (docs/product.md §1.5). */
export const FALLBACK_ALIAS = 'Usuario'
export const FALLBACK_EMOJI = '🐶'

/** A generated alias: this and a number below 100000 (docs/product.md §9.4). */
export const GENERATED_PREFIX = 'Perrit'
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

/** What makes two aliases the same name: case, accents and look-alike letters aside, inner spaces once. */
export const aliasKey = (alias: string): string => foldText(replaceConfusables(alias)).replace(/\s+/g, ' ').trim()

/** A member's public face (docs/product.md §9.2). */
export interface Member {
  id: string
  alias: string
  emoji: string
  verified: boolean
  created_at: number
  /** Owns at least one dog. */
  isOwner: boolean
  dogs: number
  breeds: number
  likes: number
}

/** Where no date is known (docs/product.md §9.2). */
export const DEFAULT_YEAR = 2024

/** «Miembro desde 2026», by the Madrid calendar. */
export const memberSince = (createdAt: number | null): string =>
  `Miembro desde ${createdAt ? Math.floor(madridDay(createdAt) / 10_000) : DEFAULT_YEAR}`

export const PROFILE_TABS = ['perros', 'razas', 'likes'] as const
export type ProfileTab = (typeof PROFILE_TABS)[number]

/** The tab an address names; the dogs otherwise. */
export const parseProfileTab = (name: string | null): ProfileTab => PROFILE_TABS.find((tab) => tab === name) ?? 'perros'

/** What an empty tab says: to its member, or about them. */
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
