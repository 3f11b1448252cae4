import type { CardDog } from '../card/card-dog.ts'
import type { DogPage, DogStats } from '../dogs.ts'
import type { FilterOption, FilterOptions } from './filter-options.ts'
import type { ListQuery } from './list-query.ts'

/** The list of a page's address, as the server reads it. */
export interface InitialList {
  query: ListQuery
  /** Null where it could not be read. */
  page: DogPage | null
  /** Ids of its dogs that the viewer likes. */
  liked: string[]
}

/** The first page of the list, as its markup shows it. */
export interface RenderedList {
  dogs: CardDog[]
  nextCursor: string | null
  /** Ids of its dogs that the viewer likes. */
  liked: string[]
  /** The breeds of the filter. */
  breeds: FilterOption[]
  /** The options of the breed filter; always the same object, since React writes the HTML of another one anew. */
  breedOptions: FilterOptions
}

const FIGURES = [
  'dogs',
  'breeds',
  'today',
  'total',
  'breedsTotal',
  'todayTotal',
  'likes',
  'likesMax',
  'likesMin',
  'weightMax',
  'weightMin',
  'ageMax',
  'ageMin',
] as const satisfies (keyof DogStats)[]

/** The statistics as one prop: figures joined by commas, empty where no dog has the figure. */
export const packStats = (stats: DogStats): string => FIGURES.map((figure) => stats[figure] ?? '').join()

export function unpackStats(packed: string): DogStats {
  const figures = packed.split(',').map((text) => (text === '' ? null : Number(text)))
  return Object.fromEntries(FIGURES.map((figure, index) => [figure, figures[index]])) as unknown as DogStats
}
