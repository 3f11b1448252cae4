import { madridDayIndex } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import type { HomeZone } from './home-zone/home-zone.ts'

/** Where missing breeds are looked for: in the home zone's province, the provinces around it, all of Spain, or anywhere. */
export const SCOPES = ['province', 'neighbours', 'country', 'everywhere'] as const
export type Scope = (typeof SCOPES)[number]

/** A breed that the member's album lacks and others have. */
export interface MissingBreed {
  slug: string
  name: string
  scope: Scope
  /** Dogs of it there. */
  dogs: number
  /** When the newest of them was added, ms. */
  lastSeen: number
  /** The zone of that dog, as its page shows it. */
  lastZone: string | null
}

/** What «Te faltan cerca» shows. */
export interface MissingNearby {
  home: HomeZone | null
  /** The name of the home zone's province; empty abroad. */
  provinceName: string
  breeds: MissingBreed[]
}

/** Breeds of the province; more would be a list, not an invitation. */
export const MISSING_LIMIT = 12
/** Where the province has fewer, others around it fill up to so many. */
export const FEW_BREEDS = 6

export const SCOPE_TITLES: Record<Scope, (province: string) => string> = {
  province: (province) => `En ${province}`,
  neighbours: () => 'En las provincias de alrededor',
  country: () => 'En el resto de España',
  everywhere: () => 'En Perrario',
}

/** «1 perro», «12 perros» */
export const dogsSeenText = (dogs: number): string => (dogs === 1 ? '1 perro' : `${formatCount(dogs)} perros`)

/** «hoy», «ayer», «hace 5 días», by days in Madrid: it changes at midnight alone, as the pages that show it. */
export function seenText(time: number, now: number): string {
  const days = Math.max(0, madridDayIndex(now) - madridDayIndex(time))
  if (days === 0) return 'hoy'
  if (days === 1) return 'ayer'
  if (days < 60) return `hace ${days} días`
  const months = Math.floor(days / 30)
  return months < 24 ? `hace ${months} meses` : `hace ${Math.floor(days / 365)} años`
}
