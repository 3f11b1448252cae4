import type { Db } from '#db/client.ts'
import { otherNames } from '#features/breeds/catalogue.server.ts'
import { type Catalogue, type CatalogueBreed, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { type SearchKey, searchKey } from '#lib/text/search-key.ts'

interface IndexedBreed {
  breed: CatalogueBreed
  /** The breed's own name first, then its other names. */
  names: readonly SearchKey[]
}

const namesByCatalogue = new WeakMap<Catalogue, readonly IndexedBreed[]>()

/** The search keys of every name of every breed, computed once per version of the catalogue. */
function indexedNames(all: Catalogue): readonly IndexedBreed[] {
  let indexed = namesByCatalogue.get(all)
  if (!indexed) {
    indexed = all.breeds.map((breed) => ({
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
    namesByCatalogue.set(all, indexed)
  }
  return indexed
}

/** 0: the exact name; 1: the name apart from accents and spaces; 2: its beginning; 3: the beginning of a word; -1: no match. */
function matchPosition(name: SearchKey, key: SearchKey): number {
  if (name.low === key.low) return 0
  if (name.plain.replaceAll(' ', '') === key.plain.replaceAll(' ', '')) return 1
  if (name.plain.startsWith(key.plain)) return 2
  return name.plain.includes(` ${key.plain}`) ? 3 : -1
}

/** Lower is better: first matches with «ñ» as typed, then by `matchPosition`, then the breed's own name before others. */
function rank({ names }: IndexedBreed, key: SearchKey): number {
  let best = Infinity
  for (const [nameIndex, name] of names.entries()) {
    const position = matchPosition(name, key)
    if (position < 0) continue
    const isOther = key.hasEnye && !` ${name.low}`.includes(` ${key.low}`)
    best = Math.min(best, (isOther ? 100 : 0) + position * 2 + (nameIndex === 0 ? 0 : 1))
  }
  return best
}

/** The breeds that match a text, best first; equal ranks in the order of the album. */
export async function searchBreeds(db: Db, key: SearchKey): Promise<CatalogueBreed[]> {
  return indexedNames(await getCatalogue(db))
    .map((named) => ({ breed: named.breed, rank: rank(named, key) }))
    .filter((hit) => hit.rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.breed.number - b.breed.number)
    .map(({ breed }) => breed)
}

/** Up to three breeds that a text without matches may mean: a typo or two away, or with a part of it. */
export async function findSimilarBreeds(db: Db, text: string): Promise<CatalogueBreed[]> {
  const lookup = await lookUpBreed(db, text)
  const slugs = 'near' in lookup ? lookup.near : 'moved' in lookup ? [lookup.moved] : []
  const { bySlug } = await getCatalogue(db)
  return slugs.slice(0, 3).flatMap((slug) => bySlug.get(slug) ?? [])
}
