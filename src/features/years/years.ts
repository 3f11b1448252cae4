import { madridDay, madridMidnight } from '#lib/dates.ts'

/** The first year that anybody may ask for: before it there is no community. */
const FIRST_YEAR = 2020

/** A year in an address. @returns null for anything else */
export function parseYear(text: string | undefined): number | null {
  const year = /^\d{4}$/.test(text ?? '') ? Number(text) : 0
  return year >= FIRST_YEAR ? year : null
}

export const madridYear = (now: number): number => Math.floor(madridDay(now) / 10_000)

/** The year's bounds in Madrid, ms: `from` is in it, `to` is not. */
export const yearRange = (year: number): { from: number; to: number } => ({
  from: madridMidnight(year * 10_000 + 101),
  to: madridMidnight((year + 1) * 10_000 + 101),
})

/** The link that shows a member's year (profiles/member-links.server.ts), for as long as the year can be seen. */
export const yearLink = (year: number) =>
  ({ kind: 'year-link', about: String(year), expiresAt: yearRange(year + 1).to }) as const

/** When a year can be looked back on: from its first of December to the end of the next year. Bounds in ms. */
const openRange = (year: number): { from: number; to: number } => ({
  from: madridMidnight(year * 10_000 + 1201),
  to: yearRange(year + 1).to,
})

export function isYearOpen(year: number, now: number): boolean {
  const { from, to } = openRange(year)
  return now >= from && now < to
}

/** The last year that can be looked back on. */
export const latestYear = (now: number): number => {
  const year = madridYear(now)
  return isYearOpen(year, now) ? year : year - 1
}

/** From December to the end of January the own profile invites to look back. */
export function invitedYear(now: number): number | null {
  const year = latestYear(now)
  return now < madridMidnight((year + 1) * 10_000 + 201) ? year : null
}

export const YEAR_TEXTS = {
  notYet: (year: number) => `Tu ${year} se podrá ver a partir del 1 de diciembre de ${year}.`,
  gone: (year: number) => `El ${year} ya no se puede ver: cada año se queda hasta que acaba el siguiente.`,
  noYear: 'Ese año no existe en Perrario.',
  noLink: 'Este enlace ya no vale. Puede que quien te lo mandó lo haya retirado.',
  communityNotYet: (year: number) => `El ${year} de la comunidad se podrá ver a partir del 1 de diciembre de ${year}.`,
  noCommunityYear: 'Todavía no hay resumen de ese año.',
} as const

/** Why a year cannot be looked back on. */
export const closedYearText = (year: number, now: number): string =>
  now < openRange(year).from ? YEAR_TEXTS.notYet(year) : YEAR_TEXTS.gone(year)

/** Why there is no page of the community's year. */
export const noCommunityYearText = (year: number | null, now: number): string =>
  year === null
    ? YEAR_TEXTS.noYear
    : year === madridYear(now) && !isYearOpen(year, now)
      ? YEAR_TEXTS.communityNotYet(year)
      : YEAR_TEXTS.noCommunityYear

/** A dog of the year as its cards show it. */
export interface YearDog {
  id: string
  /** As shown: never empty. */
  name: string
  breed: string
  breedSlug: string
  path: string
  photo: string
  /** What the photo shows. */
  alt: string
  /** When it was added, ms. */
  addedAt: number
}

/** A member's year with today's names. */
export interface MemberYear {
  year: number
  alias: string
  emoji: string
  /** Dogs added in the year: the member's own, and those that they discovered. */
  owned: number
  discovered: number
  /** Likes that the member's dogs got in the year. */
  likes: number
  /** Breeds that were new in their album. */
  newBreeds: readonly { slug: string; name: string }[]
  /** Provinces by the breeds that were first seen there, most first. */
  provinces: readonly { id: string; name: string; breeds: number }[]
  /** Breeds by dogs of the year, at most TOP_BREEDS. */
  breeds: readonly { slug: string; name: string; dogs: number }[]
  breedCount: number
  liked: { dog: YearDog; likes: number } | null
  /** Who gave most likes. Null where nobody did, or where nobody may be named. */
  fan: { id: string; alias: string; likes: number } | null
  first: YearDog | null
  last: YearDog | null
}

/** Breeds of the ranking's card. */
export const TOP_BREEDS = 5

export const isEmptyYear = ({ owned, discovered, likes }: MemberYear): boolean => owned + discovered + likes === 0
