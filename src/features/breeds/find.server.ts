import type { Db } from '#db/client.ts'
import { otherNames } from './catalogue.server.ts'
import { type Catalogue, type CatalogueBreed, catalogue } from './current.server.ts'
import { type Findable, type Lookup, lookUp } from './lookup.ts'
import { breedKey } from './match.ts'
import { relatives } from './related.ts'

const findables = new WeakMap<Catalogue, readonly Findable[]>()

/** Every text that stands for a breed, as keys; made once per state of the catalogue. */
function findablesOf(all: Catalogue): readonly Findable[] {
  let made = findables.get(all)
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
    findables.set(all, made)
  }
  return made
}

/** Which breed an address means (lookup.ts). */
export async function lookUpBreed(db: Db, text: string): Promise<Lookup> {
  return lookUp(text, findablesOf(await catalogue(db)))
}

const kin = new WeakMap<Catalogue, number[][]>()

/** Breeds of the same group and a similar size; the relation holds both ways. */
export function relatedBreeds(all: Catalogue, breed: CatalogueBreed): CatalogueBreed[] {
  let links = kin.get(all)
  if (!links) kin.set(all, (links = relatives(all.breeds)))
  return links[breed.number - 1]!.map((index) => all.breeds[index]!)
}
