import type { Db } from '#db/client.ts'
import { otherNames } from './catalogue.server.ts'
import { type Catalogue, type CatalogueBreed, getCatalogue } from './current-catalogue.server.ts'
import { type LookupEntry, type Lookup, lookUp } from './lookup.ts'
import { breedKey } from './match.ts'
import { relatedIndexes } from './related.ts'

const entriesByCatalogue = new WeakMap<Catalogue, readonly LookupEntry[]>()

/** Every text that stands for a breed, as keys; made once per state of the catalogue. */
function lookupEntriesOf(all: Catalogue): readonly LookupEntry[] {
  let made = entriesByCatalogue.get(all)
  if (!made) {
    made = all.breeds.map((breed) => ({
      slug: breed.slug,
      keys: [
        ...new Set(
          [
            breed.slug,
            breed.nombre_castellano,
            breed.nombre_original,
            breed.nombre_ingles,
            ...breed.alias,
            ...otherNames(breed.nombre_castellano),
          ]
            .map(breedKey)
            .filter(Boolean),
        ),
      ],
    }))
    entriesByCatalogue.set(all, made)
  }
  return made
}

/** Which breed an address means (lookup.ts). */
export async function lookUpBreed(db: Db, text: string): Promise<Lookup> {
  return lookUp(text, lookupEntriesOf(await getCatalogue(db)))
}

const relatedByCatalogue = new WeakMap<Catalogue, number[][]>()

/** Breeds of the same group and a similar size; the relation holds both ways. */
export function relatedBreeds(all: Catalogue, breed: CatalogueBreed): CatalogueBreed[] {
  let links = relatedByCatalogue.get(all)
  if (!links) relatedByCatalogue.set(all, (links = relatedIndexes(all.breeds)))
  return links[breed.number - 1]!.map((index) => all.breeds[index]!)
}
