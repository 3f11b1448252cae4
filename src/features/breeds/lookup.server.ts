import type { Db } from '#db/client.ts'
import { otherNames } from './catalogue.server.ts'
import { type Catalogue, type CatalogueBreed, getCatalogue } from './current-catalogue.server.ts'
import { type LookupEntry, lookupName, type Lookup, lookUp } from './lookup.ts'
import { relatedIndexes } from './related.ts'

const entriesByCatalogue = new WeakMap<Catalogue, readonly LookupEntry[]>()

/** Every name of every breed; built once per version of the catalogue. */
function lookupEntriesOf(catalogue: Catalogue): readonly LookupEntry[] {
  let entries = entriesByCatalogue.get(catalogue)
  if (!entries) {
    entries = catalogue.breeds.map((breed) => {
      const main = lookupName(breed.slug)
      const others = [
        breed.nombre_castellano,
        breed.nombre_original,
        breed.nombre_ingles,
        ...breed.alias,
        ...otherNames(breed.nombre_castellano),
      ]
        .map(lookupName)
        .filter(({ key }) => key && key !== main.key)
      const byKey = new Map(others.map((name) => [name.key, name]))
      return { slug: breed.slug, names: [main, ...byKey.values()] }
    })
    entriesByCatalogue.set(catalogue, entries)
  }
  return entries
}

/** Finds the breed that an address means (lookup.ts). */
export async function lookUpBreed(db: Db, text: string): Promise<Lookup> {
  return lookUp(text, lookupEntriesOf(await getCatalogue(db)))
}

const relatedByCatalogue = new WeakMap<Catalogue, number[][]>()

/** Breeds of the same group and a similar size; the relation is symmetric. */
export function relatedBreeds(catalogue: Catalogue, breed: CatalogueBreed): CatalogueBreed[] {
  let links = relatedByCatalogue.get(catalogue)
  if (!links) relatedByCatalogue.set(catalogue, (links = relatedIndexes(catalogue.breeds)))
  return (links[catalogue.breeds.indexOf(breed)] ?? []).flatMap((index) => catalogue.breeds[index] ?? [])
}
