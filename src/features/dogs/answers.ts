import * as z from 'zod/mini'
import { lostMarkAnswer } from '#features/lost/answers.ts'
import { AGE_UNITS } from '#lib/age.ts'
import { SEASONAL_FRAMES } from './card/seasonal-frames.ts'
import { SIZES } from './dogs.ts'
import { FREE_TEXT_NAMES, type FreeText } from './write/dog-fields.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

const count = z.int().check(z.minimum(0))
const cursor = z.nullable(z.string())

export const dogImageAnswer = z.object({
  url: z.string(),
  order: count,
  width: count,
  height: count,
  /** The uploader's description of the photo; null without one. */
  alt: z.nullable(z.string()),
})

const freeTextAnswers = Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, z.nullable(z.string())])) as Record<
  FreeText,
  z.ZodMiniNullable<z.ZodMiniString>
>

/** A dog in lists, cards and the API. Times in milliseconds, weight in kg. */
export const publicDogAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  breed: z.string(),
  breed_slug: z.string(),
  age: z.nullable(count),
  age_unit: z.nullable(z.enum(AGE_UNITS)),
  weight: z.nullable(z.number()),
  zone: z.nullable(z.string()),
  is_adopted: z.boolean(),
  ...freeTextAnswers,
  size: z.nullable(z.enum(SIZES)),
  photo_url: z.string(),
  user_id: z.nullable(z.uuid()),
  owner_id: z.nullable(z.uuid()),
  discoverer_id: z.nullable(z.uuid()),
  created_at: z.int(),
  /** Likes received; `votes` is the same number under its name in docs/product.md §26.4. */
  likes: count,
  votes: count,
  comments: count,
  /** The path of its page: `/beagle/toby-2`. */
  path: z.string(),
  card: z.nullable(z.enum(['holo', 'platinum'])),
  /** The seasonal frame that the owner put on the card. */
  frame: z.nullable(z.enum(SEASONAL_FRAMES)),
  /** Placeholder of the cover while it loads (photos/blur.ts). */
  blur: z.nullable(z.string()),
  images: z.array(dogImageAnswer),
  /** Of a lost dog: since when, in milliseconds, and the zone where it was last seen. */
  lost: z.exactOptional(lostMarkAnswer),
})

/** The same for its participants, who see it before the admin approves it. */
export const dogAnswer = z.extend(publicDogAnswer, {
  /** Pending review: only its participants see it until the admin approves it. */
  waits: z.exactOptional(z.literal(true)),
  /** After an edit: fields whose new text is reviewed before it is published; what was public before stays meanwhile. */
  in_review: z.exactOptional(z.array(z.string())),
})

const figure = z.nullable(z.number())
/** The statistics strip (docs/product.md §4.2). Extremes are null where no dog has the figure. */
export const dogStatsAnswer = z.object({
  /** Dogs of the current filters. */
  dogs: count,
  /** Distinct breeds among them. */
  breeds: count,
  /** Added today (Madrid) among them. */
  today: count,
  /** Dogs of the whole community, for the chosen breed's share. The next two are its breeds and today's dogs. */
  total: count,
  breedsTotal: count,
  todayTotal: count,
  likes: count,
  likesMax: figure,
  likesMin: figure,
  weightMax: figure,
  weightMin: figure,
  /** In months. */
  ageMax: figure,
  ageMin: figure,
})

/** `GET /api/dogs` */
export const dogPageAnswer = z.object({
  dogs: z.array(publicDogAnswer),
  nextCursor: cursor,
  stats: dogStatsAnswer,
  /** The order has changed since the earlier pages: a dog may be on none, or on two. */
  reordered: z.exactOptional(z.literal(true)),
})

/** `GET /api/dogs/{id}` */
export const oneDogAnswer = z.object({ dog: publicDogAnswer })

/** A photo that could not be stored: its position among those sent, from 0, and the reason. */
export const skippedPhotoAnswer = z.object({ index: count, detail: z.string() })

/** `POST /api/dogs` */
export const addedDogAnswer = z.object({
  dog: dogAnswer,
  /** Of a dog without people: the token with which this device's member claims it. */
  association: z.exactOptional(z.object({ token: z.string() })),
  skipped: z.exactOptional(z.array(skippedPhotoAnswer)),
})

/** A dog after a change of its fields or its people. */
export const changedDogAnswer = z.object({ dog: dogAnswer })

/** `PUT /api/dogs/{id}/images` */
export const changedGalleryAnswer = z.object({
  dog: dogAnswer,
  skipped: z.exactOptional(z.array(skippedPhotoAnswer)),
})

/** `GET /api/today`: the day's counts, Europe/Madrid. */
export const todayAnswer = z.object({ dogs: count, likes: count })
