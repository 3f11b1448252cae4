import type { SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import type { CardStyle } from '#features/dogs/dogs.ts'
import type { ProvinceMapData } from '#features/years/province-map.ts'
import { dogInSentence } from '#lib/text/names.ts'

/** The format of link previews (Open Graph). */
export const CARD = { width: 1200, height: 630, type: 'image/jpeg', maxBytes: 150_000 } as const
/** The format of a dog's sticker for download, portrait for phones. */
export const STICKER = { width: 864, height: 1080, type: 'image/jpeg', maxBytes: 500_000 } as const

/** The kinds of pictures, by their names in addresses. */
export const CARD_KINDS = ['perro', 'raza', 'miembro', 'sitio', 'cromo', 'reto'] as const
export type CardKind = (typeof CARD_KINDS)[number]

/** The names of kind `sitio`: the site's own picture, and that of the list of lost dogs. */
export const SITE_CARD_NAME = 'perrario'
export const LOST_CARD_NAME = 'perdidos'

export const CARD_TEXTS = {
  slogan: 'El álbum de los perros',
  invitation: ['Registra a los tuyos, colecciona razas', 'y descubre los de la comunidad.'],
  wanted: 'SE BUSCA',
  lostList: ['Perros perdidos', '¿Has visto a alguno?', 'Cuéntalo en medio minuto, sin cuenta.'],
  alt: {
    perro: (name: string, breed: string) => `Cromo ${dogInSentence(name, 'de')}, ${breed}, en Perrario`,
    raza: (name: string) => `${name} en Perrario`,
    miembro: (alias: string) => `Perfil de ${alias} en Perrario`,
    sitio: 'Perrario, el álbum de los perros',
    lost: (name: string, breed: string, zone: string) => `Se busca ${dogInSentence(name, 'a')}, ${breed}, en ${zone}`,
    lostList: 'Perros perdidos que sus familias buscan, en Perrario',
    reto: (number: number, result: string) => `Reto n.º ${number} de Perrario. ${result}`,
  },
} as const

/** All data that a picture shows: equal data gives an equal picture. */
export type CardData = DogCardData | BreedCardData | MemberCardData | SiteCardData | RiddleCardData | YearCardData

export interface DogCardData {
  kind: 'perro' | 'cromo'
  name: string
  breed: string
  /** The breed whose portrait replaces a missing photo. */
  breedSlug: string
  age: string | null
  weight: string | null
  zone: string | null
  photo: string
  style: CardStyle | null
  /** The seasonal frame; left out without one, so that such cards keep their version. */
  frame?: SeasonalFrame
  /** Where and since when the dog is lost, on link previews; left out where it is not, for the same reason. */
  lost?: { zone: string; since: string }
}

export interface BreedCardData {
  kind: 'raza'
  slug: string
  name: string
  original: string
  /** Its place in the album, «023». */
  number: string
  facts: string[]
  /** The version of the operator's photo; null without one. */
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
  /** Of the list of lost dogs; left out for the site's own. */
  isLost?: true
}

/** How a riddle ended, without its breed. */
export interface RiddleCardData {
  kind: 'reto'
  /** Of the riddle, from 1. */
  number: number
  date: string
  guesses: number
  isWon: boolean
  /** The result in words. */
  result: string
}

/** A card of a member's year (features/years), for download. Its address is the year's own: it is no public picture. */
export interface YearCardData {
  kind: 'año'
  year: number
  name: string
  title: string
  figure: string
  text: string
  photos: { photo: string; breedSlug: string }[]
  rows: { label: string; count: number }[]
  map: ProvinceMapData | null
}

/** A picture for a page's head (layouts/Head.astro). */
export interface CardPicture {
  url: string
  width: number
  height: number
  type: string
  alt: string
}
