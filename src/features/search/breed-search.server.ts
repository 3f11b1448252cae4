import type { Db } from '#db/client.ts'
import { otherNames } from '#features/breeds/catalogue.server.ts'
import { type Catalogue, type CatalogueBreed, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { type SearchKey, searchKey } from './search-key.ts'

interface IndexedBreed {
  breed: CatalogueBreed
  /** Its own name first, then what else people call it. */
  names: readonly SearchKey[]
}

const namesByCatalogue = new WeakMap<Catalogue, readonly IndexedBreed[]>()

/** Every name of every breed as it is searched by; made once per state of the catalogue. */
function indexedNames(all: Catalogue): readonly IndexedBreed[] {
  let made = namesByCatalogue.get(all)
  if (!made) {
    made = all.breeds.map((breed) => ({
      breed,
      names: [
        breed.nombre_castellano,
        breed.nombre_original,
        breed.nombre_ingles,
        ...breed.alias,
        ...otherNames(breed.nombre_castellano),
      ]
        .filter(Boolean)
        .map(searchKey),
    }))
    namesByCatalogue.set(all, made)
  }
  return made
}

/** 0 the very name, 1 it but for accents and blanks, 2 its beginning, 3 the beginning of a word; -1 nothing of it. */
function matchPosition(name: SearchKey, key: SearchKey): number {
  if (name.low === key.low) return 0
  if (name.plain.replaceAll(' ', '') === key.plain.replaceAll(' ', '')) return 1
  if (name.plain.startsWith(key.plain)) return 2
  return name.plain.includes(` ${key.plain}`) ? 3 : -1
}

/** Lower is better: letters as typed before those without their tilde, then the place, then a breed's own name. */
function rank({ names }: IndexedBreed, key: SearchKey): number {
  let best = Infinity
  for (const [at, name] of names.entries()) {
    const found = matchPosition(name, key)
    if (found < 0) continue
    const isOther = key.hasEnye && !` ${name.low}`.includes(` ${key.low}`)
    best = Math.min(best, (isOther ? 100 : 0) + found * 2 + (at === 0 ? 0 : 1))
  }
  return best
}

/** The breeds that a text finds, best first; equals in the order of the album. */
export async function searchBreeds(db: Db, key: SearchKey): Promise<CatalogueBreed[]> {
  return indexedNames(await getCatalogue(db))
    .map((named) => ({ breed: named.breed, rank: rank(named, key) }))
    .filter((hit) => hit.rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.breed.number - b.breed.number)
    .map(({ breed }) => breed)
}

/** Breeds that a text may have meant: a typo or two away, or holding part of it. */
export async function findSimilarBreeds(db: Db, text: string): Promise<CatalogueBreed[]> {
  const found = await lookUpBreed(db, text)
  const slugs = 'near' in found ? found.near : 'moved' in found ? [found.moved] : []
  const { bySlug } = await getCatalogue(db)
  return slugs.slice(0, 3).flatMap((slug) => bySlug.get(slug) ?? [])
}
