import type { PublicLostCase } from '#features/lost/lost.ts'
import { madridDayIndex, formatShortDate, madridDay, madridMidnight } from '#lib/dates.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { DAY_MS } from '#lib/time.ts'

/** A lost dog as lists show it. */
export interface LostDog extends PublicLostCase {
  updated_at: number
  name: string
  breed: string
  photo_url: string
  /** Placeholder of the photo while it loads (photos/blur.ts). */
  blur: string | null
  /** The dog's page. */
  path: string
}

export interface LostPage {
  dogs: LostDog[]
  nextCursor: string | null
}

/** What the filters offer. */
export interface LostOptions {
  provinces: readonly { id: string; name: string }[]
  breeds: readonly { slug: string; name: string }[]
}

/** Counting open cases stops here: a strip says «Más de 200». */
export const COUNTED_MAX = 200

/** The sizes, smallest first (docs/product.md §4.1). */
export const LOST_SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
export type LostSize = (typeof LOST_SIZES)[number]

/** Since when a dog is gone, in days back from today (Madrid), by the words of the address. */
export const PERIODS = { dia: 1, semana: 7, mes: 30 } as const
export type Period = keyof typeof PERIODS
export const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  dia: 'Desde ayer',
  semana: 'Últimos 7 días',
  mes: 'Últimos 30 días',
}

/** The filters of the list, as in its address: `/perdidos?provincia=28&breed=beagle&size=mini&desde=semana`. */
export interface LostQuery {
  /** INE number. */
  province: string | null
  breed: string | null
  size: LostSize | null
  period: Period | null
}

export const NO_FILTERS: LostQuery = { province: null, breed: null, size: null, period: null }

/** Reads an address. Invalid values count as absent, so that an old or damaged link still opens. */
export function parseLostQuery(params: URLSearchParams): LostQuery {
  const size = params.get('size') as LostSize
  const period = params.get('desde') ?? ''
  return {
    province: /^\d\d$/.exec(params.get('provincia') ?? '')?.[0] ?? null,
    breed: /^[a-z0-9-]{1,80}$/.exec(params.get('breed') ?? '')?.[0] ?? null,
    size: LOST_SIZES.includes(size) ? size : null,
    period: Object.hasOwn(PERIODS, period) ? (period as Period) : null,
  }
}

/** The list's address. Absent filters are left out, so that one list has one address. */
export function lostListPath(query: Partial<LostQuery>, cursor?: string): string {
  const params = new URLSearchParams()
  if (query.province) params.set('provincia', query.province)
  if (query.breed) params.set('breed', query.breed)
  if (query.size) params.set('size', query.size)
  if (query.period) params.set('desde', query.period)
  if (cursor) params.set('cursor', cursor)
  return params.size > 0 ? `${lostPaths.lostDogs}?${params}` : lostPaths.lostDogs
}

/** Whether an address has any filter. */
export const isFiltered = (query: LostQuery): boolean => Object.values(query).some((value) => value !== null)

/** The moment, ms, from which a period counts: the beginning of a day in Madrid. */
export const periodStart = (period: Period, now: number): number =>
  madridMidnight(madridDay(madridMidnight(madridDay(now)) - PERIODS[period] * DAY_MS + DAY_MS / 2))

/** «desde hoy», «desde ayer», «desde hace 5 días», «desde el 20 nov 2026»: by days in Madrid, so that it changes at midnight alone. */
export function sinceText(since: number, now: number): string {
  const days = madridDayIndex(now) - madridDayIndex(since)
  if (days <= 0) return 'desde hoy'
  if (days === 1) return 'desde ayer'
  return days <= 30 ? `desde hace ${days} días` : `desde el ${formatShortDate(since)}`
}

/** The name of a dog on its card; many have none (`???`, docs/product.md §1.5). */
export const lostName = (name: string): string => (name === '' || name === '???' ? 'Sin nombre' : name)

/** Alt text of the photo: «Toby, Beagle». */
export const lostPhotoAlt = ({ name, breed }: Pick<LostDog, 'name' | 'breed'>): string => `${lostName(name)}, ${breed}`

export const LOST_LIST_TEXTS = {
  title: 'Perros perdidos',
  wanted: 'Se busca',
  lead: 'Sus familias los buscan. Si crees que has visto a uno, abre su ficha y cuéntalo: tarda medio minuto y no hace falta cuenta.',
  empty: 'Todos están en casa',
  emptyText: 'Ahora mismo nadie busca a su perro en Perrario. Ojalá siga así mucho tiempo.',
  none: 'Ninguno con estos filtros',
  noneText: 'Nadie busca ahora a un perro así. Mira también los de alrededor: un perro asustado anda mucho.',
} as const
