import type { Dog, Size, Sort } from '#features/dogs/dogs.ts'
import { formatCount } from '#lib/numbers.ts'
import type { Area, MapDogs } from '#features/map/map.ts'

/** The list's filters that hold for the map, and the order of the strip. */
export interface MapFilters {
  breed: string | null
  size: Size | null
  sort: Sort
}

export type Point = readonly [lon: number, lat: number]

/** A dog of the strip. One that was brought in by its id alone does not say where it stands. */
export type StripDog = Dog & { center?: Point }

/** What the strip holds of an area so far. */
export interface AreaDogs {
  dogs: StripDog[]
  nextCursor: string | null
  visible: number
  /** Those of them that the order holds. */
  listed: number
}

export const STRIP_TEXTS = {
  none: 'Por aquí aún no hay perros',
  noneHint: 'Mueve el mapa, aléjalo un poco o sé quien añada el primero.',
  noneFiltered: 'Ninguno con estos filtros. Prueba a quitarlos, a mover el mapa o a alejarlo.',
  searching: 'Buscando perros…',
  all: 'Ver todos',
  unknown: 'Perros en esta zona',
  away: 'Error de red al cargar los perros.',
} as const

/** «214 perros en esta zona» (docs/product.md §16.4); null while nobody knows. */
export function stripTitle(count: number | null): string {
  if (count === null) return STRIP_TEXTS.searching
  if (count === 0) return STRIP_TEXTS.none
  return `${formatCount(count)} ${count === 1 ? 'perro' : 'perros'} en esta zona`
}

/** The query of `GET /api/map/dogs`. Five decimals are a metre. */
export function areaDogsQuery(area: Area, { breed, size, sort }: MapFilters, cursor?: string): string {
  const query = new URLSearchParams({ bbox: area.map((degrees) => Number(degrees.toFixed(5))).join() })
  if (breed) query.set('breed', breed)
  if (size) query.set('size', size)
  if (sort !== 'recent') query.set('sort', sort)
  if (cursor) query.set('cursor', cursor)
  return query.toString()
}

/** Whether a point lies in an area as the map names it, worlds repeated and west over east included. */
export function isInside([lon, lat]: Point, [west, south, east, north]: Area): boolean {
  if (lat < south || lat > north) return false
  const width = west > east ? east + 360 - west : east - west
  return width >= 360 || (((lon - west) % 360) + 360) % 360 <= width
}

/** A dog before all others, once. */
export const moveToFront = (dogs: readonly StripDog[], dog: StripDog): StripDog[] => [
  dog,
  ...dogs.filter(({ id }) => id !== dog.id),
]

/** The first page of another area. Whom the person looks at stays in hand as long as it stands there. */
export function startAreaDogs(page: MapDogs, area: Area, kept: StripDog | undefined): AreaDogs {
  const isKept = kept?.center && isInside(kept.center, area) && !page.dogs.some(({ id }) => id === kept.id)
  return isKept ? { ...page, dogs: moveToFront(page.dogs, kept) } : page
}

/** The first page of the same area again: it holds as far as it reaches, and what was read on beyond it stays. */
export function refreshAreaDogs(zone: AreaDogs, page: MapDogs, sort: Sort = 'recent'): AreaDogs {
  const last = page.dogs.at(-1)
  if (!page.nextCursor || !last) return page
  // Likes come and go: of another order only the page itself is known.
  if (sort !== 'recent') return page
  const isBeyond = ({ created_at, id }: StripDog) =>
    created_at < last.created_at || (created_at === last.created_at && id < last.id)
  // One that was brought in before its turn stays in front.
  const [first, ...rest] = zone.dogs
  const isBrought = first !== undefined && isBeyond(first)
  const dogs = [...(isBrought ? [first] : []), ...page.dogs, ...rest.filter(isBeyond)]
  return { ...page, dogs, nextCursor: rest.some(isBeyond) ? zone.nextCursor : page.nextCursor }
}

/** The next page behind those before. A dog added meanwhile may have pushed one that is already here across the edge. */
export function appendPage(zone: AreaDogs, page: MapDogs): AreaDogs {
  const known = new Set(zone.dogs.map(({ id }) => id))
  return { ...page, dogs: [...zone.dogs, ...page.dogs.filter(({ id }) => !known.has(id))] }
}
