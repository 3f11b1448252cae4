import type * as z from 'zod/mini'
import type { dogAnswer, dogImageAnswer, dogPageAnswer, dogStatsAnswer, skippedPhotoAnswer } from './answers.ts'

/** The sizes, smallest first (docs/product.md §4.1). */
export const SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
export type Size = (typeof SIZES)[number]

/** The list's sort orders (docs/product.md §4.1). */
export const SORTS = ['recent', 'votes-desc', 'votes-asc', 'weight-desc', 'weight-asc', 'age-desc', 'age-asc'] as const
export type Sort = (typeof SORTS)[number]

/** The stored name of a dog without a name, and its label (docs/product.md §1.5). */
export const NAMELESS = '???'
export const NAMELESS_LABEL = 'Sin nombre'
export const displayName = (name: string): string => (name === '' || name === NAMELESS ? NAMELESS_LABEL : name)

/** Labels of deleted people and dogs in activity lists and notes (docs/product.md §1.5). */
export const UNKNOWN_PERSON = 'Alguien'
export const UNKNOWN_DOG = 'Perro'

export type CardStyle = 'holo' | 'platinum'

export type DogImage = z.output<typeof dogImageAnswer>

/** A dog in lists, cards and the API. Times in milliseconds, weight in kg. */
export type Dog = z.output<typeof dogAnswer>

/** The statistics strip (docs/product.md §4.2). Extremes are null where no dog has the figure. */
export type DogStats = z.output<typeof dogStatsAnswer>

export interface DogQuery {
  breed?: string | undefined
  size?: Size | undefined
  sort?: Sort | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

export type DogPage = z.output<typeof dogPageAnswer>

/** A page of dogs without figures: a member's dogs, the dogs a member likes. */
export interface DogList {
  dogs: Dog[]
  nextCursor: string | null
}

/** A photo that could not be stored: its position among those sent, from 0, and the reason. */
export type SkippedPhoto = z.output<typeof skippedPhotoAnswer>

/** Whether the member may edit the dog and its photos: its owner and its discoverer may (docs/product.md §19.1). */
export const canEditDog = (
  dog: { owner_id: string | null; discoverer_id: string | null },
  userId: string | null | undefined,
): boolean => Boolean(userId) && (dog.owner_id === userId || dog.discoverer_id === userId)

/** A member named on a dog's page. */
export interface Person {
  id: string
  alias: string
  emoji: string
  verified: boolean
}
