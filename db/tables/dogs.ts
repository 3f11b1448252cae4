// Dogs, their photos, likes and comments.
import type { Generated } from 'kysely'
import type { Flag } from './system.ts'

export type Size = 'mini' | 'pequeño' | 'mediano' | 'grande' | 'gigante'

/** dogs; triggers maintain `votes` and `comments_count`. */
export interface DogsTable {
  id: string
  /** As typed, sanitised; `???` when empty. */
  name: string
  /** As displayed: a catalogue name, or the mix that a person described. */
  breed: string
  /** The catalogue breed by which it is counted, filtered and linked. */
  breed_slug: string
  age: number | null
  age_unit: 'meses' | 'años' | null
  /** The age in months, by which lists sort. */
  age_months: number | null
  weight: number | null
  zone: string | null
  is_adopted: Generated<Flag>
  description: string | null
  size: Size | null
  photo_url: string
  user_id: string | null
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
  updated_at: number
  /** The Europe/Madrid day of `created_at`, 20261120: «nuevos hoy» reads it. */
  day: number
  /** Likes received. */
  votes: Generated<number>
  comments_count: Generated<number>
  /** The two parts of its page's address, stored so that shared links never change. */
  path_breed: string
  path_slug: string
  /** INE number of the zone's province; empty where the zone names none; null until the backfill has set it. */
  province: Generated<string | null>
  /** The seasonal frame that the owner put on the card. */
  frame: Generated<'christmas' | 'spring' | 'summer' | 'autumn' | null>
  /** Why nobody but its people and the admin sees it (db/content.ts); 0 for what everybody sees. */
  hidden: Generated<number>
}

/** dogs: every address a dog ever had. `dog_id` is null once the dog is deleted (the address then answers 410). */
export interface DogPathsTable {
  breed_slug: string
  /** With its number: `toby`, `toby-2`. */
  slug: string
  dog_id: string | null
  created_at: number
}

/** dogs. `order` is 0-based; 0 is the cover. A photo that is hidden by itself has a number below 0. */
export interface DogImagesTable {
  dog_id: string
  url: string
  order: number
  width: number
  height: number
  /** Four by four colours (photos/blur.ts); null until the backfill has set them, empty where the photo cannot be read. */
  blur: string | null
  /** Alternative text of the uploader; null where there is none (dogs/photo-alt.ts composes it then). */
  alt: string | null
  /** As that of its dog. */
  hidden: Generated<number>
}

/** dogs: members who claim a dog without owner. Confirmed requests are deleted; declined ones stay, so that they are not repeated at once. */
export interface OwnershipRequestsTable {
  dog_id: string
  user_id: string
  created_at: number
  declined_at: number | null
  /** Not 0: who asks leaves. */
  hidden: Generated<number>
}

/** dogs, and any request (db/request-answers.ts): requests that carried an Idempotency-Key. */
export interface IdempotencyKeysTable {
  /** sha256 of the sender and the key. */
  key: string
  /** Of POST /api/dogs, whose answer is read anew. */
  dog_id: string | null
  created_at: number
  /** sha256 of what was sent; null for a dog. */
  fingerprint: Generated<string | null>
  /** Encrypted by the sender's key; null for a dog, and while the request runs. */
  answer: Generated<string | null>
}

/** likes */
export interface DogLikesTable {
  id: string
  dog_id: string
  user_id: string
  created_at: number
  /** Not 0: its dog is hidden, or who gave it leaves (db/content.ts); it counts for nobody then. */
  hidden: Generated<number>
}

/** comments */
export interface CommentsTable {
  id: string
  dog_id: string
  user_id: string
  content: string
  created_at: number
  /** Why nobody but its member and the admin sees it (db/content.ts); 0 for what everybody sees. */
  hidden: Generated<number>
}
