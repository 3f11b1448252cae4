import type { CardStyle } from '#features/dogs/dogs.ts'

/** What chats and networks ask of a link's picture (Open Graph). */
export const CARD = { width: 1200, height: 630, type: 'image/jpeg', most: 150_000 } as const
/** A dog's sticker to keep and send, upright for phones. */
export const STICKER = { width: 864, height: 1080, type: 'image/jpeg', most: 500_000 } as const

/** The pictures there are, as their addresses name them. */
export const CARD_KINDS = ['perro', 'raza', 'miembro', 'sitio', 'cromo'] as const
export type CardKind = (typeof CARD_KINDS)[number]

/** The one name under `sitio`. */
export const SITE_CARD_NAME = 'perrario'

export const CARD_TEXTS = {
  slogan: 'El álbum de los perros',
  invitation: ['Registra a los tuyos, colecciona razas', 'y descubre los de la comunidad.'],
  alt: {
    perro: (name: string, breed: string) => `Cromo de ${name}, ${breed}, en Perrario`,
    raza: (name: string) => `${name} en Perrario`,
    miembro: (alias: string) => `Perfil de ${alias} en Perrario`,
    sitio: 'Perrario, el álbum de los perros',
  },
} as const

/** All that a picture shows, and nothing else: the same face is the same picture. */
export type CardData = DogCardData | BreedCardData | MemberCardData | SiteCardData

export interface DogCardData {
  kind: 'perro' | 'cromo'
  name: string
  breed: string
  /** Whose portrait stands in for a photo. */
  breedSlug: string
  age: string | null
  weight: string | null
  zone: string | null
  photo: string
  style: CardStyle | null
}

export interface BreedCardData {
  kind: 'raza'
  slug: string
  name: string
  original: string
  /** Its place in the album, «023». */
  number: string
  facts: string[]
  /** Version of the operator's own photo, if there is one. */
  photo: string | null
}

export interface MemberCardData {
  kind: 'miembro'
  alias: string
  verified: boolean
  since: string
  counters: [term: string, figure: string][]
  /** Covers of the newest dogs. */
  photos: { photo: string; breedSlug: string }[]
}

export interface SiteCardData {
  kind: 'sitio'
}

/** A picture as a page names it (layouts/Head.astro). */
export interface CardPicture {
  url: string
  width: number
  height: number
  type: string
  alt: string
}
