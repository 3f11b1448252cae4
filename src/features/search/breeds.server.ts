import type { Db } from '#db/client.ts'
import { otherNames } from '#features/breeds/catalogue.server.ts'
import { type Catalogue, type CatalogueBreed, catalogue } from '#features/breeds/current.server.ts'
import { lookUpBreed } from '#features/breeds/find.server.ts'
import { type SearchKey, searchKey } from './key.ts'

interface Named {
  breed: CatalogueBreed
  /** Its own name first, then what else people call it. */
  names: readonly SearchKey[]
}

const known = new WeakMap<Catalogue, readonly Named[]>()

/** Every name of every breed as it is searched by; made once per state of the catalogue. */
function namesOf(all: Catalogue): readonly Named[] {
  let made = known.get(all)
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
    known.set(all, made)
  }
  return made
}

/** 0 the very name, 1 it but for accents and blanks, 2 its beginning, 3 the beginning of a word; -1 nothing of it. */
function place(name: SearchKey, key: SearchKey): number {
  if (name.low === key.low) return 0
  if (name.plain.replaceAll(' ', '') === key.plain.replaceAll(' ', '')) return 1
  if (name.plain.startsWith(key.plain)) return 2
  return name.plain.includes(` ${key.plain}`) ? 3 : -1
}

/** Lower is better: letters as typed before those without their tilde, then the place, then a breed's own name. */
function rank({ names }: Named, key: SearchKey): number {
  let best = Infinity
  for (const [at, name] of names.entries()) {
    const found = place(name, key)
    if (found < 0) continue
    const isOther = key.hasEnye && !` ${name.low}`.includes(` ${key.low}`)
    best = Math.min(best, (isOther ? 100 : 0) + found * 2 + (at === 0 ? 0 : 1))
  }
  return best
}

/** The breeds that a text finds, best first; equals in the order of the album. */
export async function searchBreeds(db: Db, key: SearchKey): Promise<CatalogueBreed[]> {
  return namesOf(await catalogue(db))
    .map((named) => ({ breed: named.breed, rank: rank(named, key) }))
    .filter((hit) => hit.rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.breed.number - b.breed.number)
    .map(({ breed }) => breed)
}

/** Breeds that a text may have meant: a typo or two away, or holding part of it. */
export async function nearBreeds(db: Db, text: string): Promise<CatalogueBreed[]> {
  const found = await lookUpBreed(db, text)
  const slugs = 'near' in found ? found.near : 'moved' in found ? [found.moved] : []
  const { bySlug } = await catalogue(db)
  return slugs.slice(0, 3).flatMap((slug) => bySlug.get(slug) ?? [])
}
