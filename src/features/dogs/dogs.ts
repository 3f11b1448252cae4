import type { AgeUnit } from '#lib/age.ts'

/** The sizes, smallest first (docs/product.md §4.1). */
export const SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
export type Size = (typeof SIZES)[number]

/** The list's orders (docs/product.md §4.1). */
export const SORTS = ['recent', 'votes-desc', 'votes-asc', 'weight-desc', 'weight-asc', 'age-desc', 'age-asc'] as const
export type Sort = (typeof SORTS)[number]

/** What an empty name becomes, and how it is shown (docs/product.md §1.5). */
export const NAMELESS = '???'
export const NAMELESS_LABEL = 'Sin nombre'
export const displayName = (name: string): string => (name === '' || name === NAMELESS ? NAMELESS_LABEL : name)

/** Who or what we no longer know, in activity lists and notes (docs/product.md §1.5). */
export const UNKNOWN_PERSON = 'Alguien'
export const UNKNOWN_DOG = 'Perro'

export type CardStyle = 'holo' | 'platinum'

export interface DogImage {
  url: string
  order: number
  width: number
  height: number
  /** What it shows, in the words of who uploaded it; null where they said nothing. */
  alt: string | null
}

/** A dog as lists, cards and the API show it. Times in milliseconds, weight in kg. */
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
  /** Its page: `/beagle/toby-2`. */
  path: string
  card: CardStyle | null
  /** What stands in the cover's place until it has come (photos/blur.ts). */
  blur: string | null
  images: DogImage[]
  /** Nobody but its people sees it before the admin has. */
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
  /** All dogs of the community, for the chosen breed's share; their breeds and today's, shown beside it. */
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

/** A photo that could not be kept, by its place among those sent, and why. */
export interface SkippedPhoto {
  index: number
  detail: string
}

/** Whether this person may edit the dog and its photos: its owner or its discoverer (docs/product.md §19.1). */
export const canEditDog = (
  dog: { owner_id: string | null; discoverer_id: string | null },
  userId: string | null | undefined,
): boolean => Boolean(userId) && (dog.owner_id === userId || dog.discoverer_id === userId)

/** Someone named on a dog's page. */
export interface Person {
  id: string
  alias: string
  emoji: string
  verified: boolean
}
