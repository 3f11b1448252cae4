import type { AgeUnit } from '#lib/age.ts'

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

export interface DogImage {
  url: string
  order: number
  width: number
  height: number
  /** The uploader's description of the photo; null without one. */
  alt: string | null
}

/** A dog in lists, cards and the API. Times in milliseconds, weight in kg. */
export interface Dog {
  id: string
  name: string
  breed: string
  breed_slug: string
  age: number | null
  age_unit: AgeUnit | null
  weight: number | null
  zone: string | null
  is_adopted: boolean
  description: string | null
  size: Size | null
  photo_url: string
  user_id: string | null
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
  /** Likes received; `votes` is the same number under its name in docs/product.md §26.4. */
  likes: number
  votes: number
  comments: number
  /** The path of its page: `/beagle/toby-2`. */
  path: string
  card: CardStyle | null
  /** Placeholder of the cover while it loads (photos/blur.ts). */
  blur: string | null
  images: DogImage[]
  /** Pending review: only its participants see it until the admin approves it. */
  waits?: true
}

/** The statistics strip (docs/product.md §4.2). Extremes are null where no dog has the figure. */
export interface DogStats {
  /** Dogs of the current filters. */
  dogs: number
  /** Distinct breeds among them. */
  breeds: number
  /** Added today (Madrid) among them. */
  today: number
  /** Dogs of the whole community, for the chosen breed's share. The next two are its breeds and today's dogs. */
  total: number
  breedsTotal: number
  todayTotal: number
  likes: number
  likesMax: number | null
  likesMin: number | null
  weightMax: number | null
  weightMin: number | null
  /** In months. */
  ageMax: number | null
  ageMin: number | null
}

export interface DogQuery {
  breed?: string | undefined
  size?: Size | undefined
  sort?: Sort | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

export interface DogPage {
  dogs: Dog[]
  nextCursor: string | null
  stats: DogStats
}

/** A page of dogs without figures: a member's dogs, the dogs a member likes. */
export interface DogList {
  dogs: Dog[]
  nextCursor: string | null
}

/** A photo that could not be stored: its position among those sent, from 0, and the reason. */
export interface SkippedPhoto {
  index: number
  detail: string
}

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
