import type { Dog, Size, Sort } from '#features/dogs/dogs.ts'
import { formatCount } from '#lib/numbers.ts'
import type { Area, MapDogs } from '#features/map/map.ts'

/** The list's filters that apply to the map, and the order of the strip. */
export interface MapFilters {
  breed: string | null
  size: Size | null
  sort: Sort
}

export type Point = readonly [lon: number, lat: number]

/** A dog of the strip. One that was loaded by its id has no location. */
export type StripDog = Dog & { center?: Point }

/** The loaded dogs of an area. */
export interface AreaDogs {
  dogs: StripDog[]
  nextCursor: string | null
  visible: number
  /** Those of them that the order includes. */
  listed: number
}

export const STRIP_TEXTS = {
  none: 'Por aquí aún no hay perros',
  noneHint: 'Mueve el mapa, aléjalo un poco o sé quien añada el primero.',
  noneFiltered: 'Ninguno con estos filtros. Prueba a quitarlos, a mover el mapa o a alejarlo.',
  searching: 'Buscando perros…',
  all: 'Ver todos',
  unknown: 'Perros en esta zona',
  networkError: 'Error de red al cargar los perros.',
  reordered: 'El orden ha cambiado.',
  again: 'Empezar de nuevo',
} as const

/** «214 perros en esta zona» (docs/product.md §16.4); null while the count is unknown. */
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

/** Whether a point is in an area as the map has it: with unbounded longitudes, or west above east. */
export function isInside([lon, lat]: Point, [west, south, east, north]: Area): boolean {
  if (lat < south || lat > north) return false
  const width = west > east ? east + 360 - west : east - west
  return width >= 360 || (((lon - west) % 360) + 360) % 360 <= width
}

/** Puts a dog before all others, without repeating it. */
export const moveToFront = (dogs: readonly StripDog[], dog: StripDog): StripDog[] => [
  dog,
  ...dogs.filter(({ id }) => id !== dog.id),
]

/** The first page of another area. The selected dog stays in front as long as the area contains it. */
export function startAreaDogs(page: MapDogs, area: Area, selected: StripDog | undefined): AreaDogs {
  const staysInFront =
    selected?.center && isInside(selected.center, area) && !page.dogs.some(({ id }) => id === selected.id)
  return staysInFront ? { ...page, dogs: moveToFront(page.dogs, selected) } : page
}

/** The first page of the same area, loaded again: it replaces the dogs up to its last one; later pages stay. */
export function refreshAreaDogs(loaded: AreaDogs, page: MapDogs, sort: Sort = 'recent'): AreaDogs {
  const last = page.dogs.at(-1)
  if (!page.nextCursor || !last) return page
  // Likes change: in another order only the page itself is certain.
  if (sort !== 'recent') return page
  const isBeyond = ({ created_at, id }: StripDog) =>
    created_at < last.created_at || (created_at === last.created_at && id < last.id)
  // A dog that was put in front before its turn stays there.
  const [first, ...rest] = loaded.dogs
  const isMovedToFront = first !== undefined && isBeyond(first)
  const dogs = [...(isMovedToFront ? [first] : []), ...page.dogs, ...rest.filter(isBeyond)]
  return { ...page, dogs, nextCursor: rest.some(isBeyond) ? loaded.nextCursor : page.nextCursor }
}

/** Appends the next page. A dog added meanwhile may repeat one across the page boundary: it is left out. */
export function appendPage(loaded: AreaDogs, page: MapDogs): AreaDogs {
  const known = new Set(loaded.dogs.map(({ id }) => id))
  return { ...page, dogs: [...loaded.dogs, ...page.dogs.filter(({ id }) => !known.has(id))] }
}

/** Whether all pages are loaded and do not have every dog: one has risen meanwhile to a page that was loaded before. */
export const isReordered = ({ dogs, nextCursor, listed }: AreaDogs): boolean =>
  nextCursor === null && dogs.length < listed

/**
 * Whether the selected dog has to be loaded by its id: its location is in the area, and no loaded page contains it.
 * @param center its location; null where it is unknown
 */
export const isSelectedMissing = (
  selected: string | null,
  center: Point | null,
  area: Area,
  dogs: readonly StripDog[],
): boolean => selected !== null && center !== null && isInside(center, area) && !dogs.some(({ id }) => id === selected)
