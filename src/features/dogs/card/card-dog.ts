import { coverAlt } from '#features/dogs/photo-alt.ts'
import { type CardStyle, type Dog, displayName } from '#features/dogs/dogs.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { formatDogAge } from './card.ts'
import type { SeasonalFrame } from './seasonal-frames.ts'

/** What a card shows of a dog: everything can be read back from its markup (list/list-markup.client.ts). */
export interface CardDog {
  id: string
  path: string
  name: string
  /** The name as in a sentence. */
  sentenceName: string
  /** «3 años»; null where no age was given. */
  age: string | null
  breed: string
  zone: string | null
  card: CardStyle | null
  frame: SeasonalFrame | null
  likes: number
  /** Its owner looks for it. */
  isLost?: true
  /** Placeholder of the cover while it loads (photos/blur.ts). */
  blur: string | null
  /** Addresses of its photos, at least one. */
  photos: string[]
  /** Alt text of the first photo. */
  alt: string
}

export const toCardDog = (dog: Dog): CardDog => ({
  id: dog.id,
  path: dog.path,
  name: displayName(dog.name),
  sentenceName: dogInSentence(dog.name),
  age: formatDogAge(dog),
  breed: dog.breed,
  zone: dog.zone || null,
  card: dog.card,
  frame: dog.frame,
  likes: dog.likes,
  blur: dog.blur,
  photos: dog.images.length > 0 ? dog.images.map(({ url }) => url) : [dog.photo_url],
  alt: coverAlt(dog),
  ...(dog.lost && { isLost: true }),
})
