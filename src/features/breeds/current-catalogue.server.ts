import type { Db } from '#db/client.ts'
import { memoizeReads } from '#db/table-changes.ts'
import { type Breed, normaliseBreed } from './breeds.ts'
import { allBreeds, breedBySlug } from './catalogue.server.ts'
import { type BreedTexts, FIELD_NAMES } from './edit.ts'

/** A breed as pages show it: the file's row with the admin's changes applied. */
export interface CatalogueBreed extends Breed {
  /** From the name in the file: a renamed breed keeps its address and its dogs. */
  slug: string
  /** Its number in the album, which never changes: new breeds get the next ones. */
  number: number
}

export interface Catalogue {
  /** In A–Z order. */
  breeds: readonly CatalogueBreed[]
  bySlug: ReadonlyMap<string, CatalogueBreed>
}

const collator = new Intl.Collator('es')

/** The current breeds, memoized until an override is written, which happens a few times a year. */
export const getCatalogue = memoizeReads(loadCatalogue)

async function loadCatalogue(db: Db): Promise<Catalogue> {
  const rows = await db
    .selectFrom('breed_overrides')
    .select(['id', 'breed_slug', 'changes'])
    .where('undone_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const changes = new Map<string, Partial<BreedTexts>>()
  for (const row of rows)
    changes.set(row.breed_slug, { ...changes.get(row.breed_slug), ...readTexts(row.changes, row.id) })
  const breeds = allBreeds.map((breed) => {
    const slug = normaliseBreed(breed.nombre_castellano)
    return { ...breed, ...changes.get(slug), slug, number: breed.id }
  })
  breeds.sort((a, b) => collator.compare(a.nombre_castellano, b.nombre_castellano))
  return { breeds, bySlug: new Map(breeds.map((breed) => [breed.slug, breed])) }
}

/** The fields of a breed that differ from the file. */
export function changedFields(breed: CatalogueBreed): string[] {
  const file = breedBySlug(breed.slug)
  return FIELD_NAMES.filter((field) => file && file[field] !== breed[field])
}

/** The texts of an override. Malformed JSON is logged and yields no texts, so that the page still answers. */
export function readTexts(json: string, id: string): Partial<BreedTexts> {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null) throw new Error('not an object')
    const fields = value as Record<string, unknown>
    const texts: Partial<BreedTexts> = {}
    for (const field of FIELD_NAMES) {
      const text = fields[field]
      if (typeof text === 'string') texts[field] = text
    }
    return texts
  } catch (error) {
    console.error(`perrario · el cambio ${id} de una raza no se puede leer:`, error)
    return {}
  }
}
