import { fold } from '#lib/text.ts'

/** The longest alias, in characters as a person counts them (spec.md §5). */
export const ALIAS_LIMIT = 20

/** Shown where a person has no alias, or none that we know (spec.md §3, comments). */
export const FALLBACK_ALIAS = 'Usuario'
export const FALLBACK_EMOJI = '🐶'

/** A generated alias: this and a number below 100000 (spec.md §5). */
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

/** What makes two aliases the same name: case and accents aside, inner spaces once. */
export const aliasKey = (alias: string): string => fold(alias).replace(/\s+/g, ' ').trim()
