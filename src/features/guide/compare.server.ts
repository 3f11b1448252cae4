import { COMPARE_PARAMS, type Comparison } from './compare.ts'
import { type Catalogue, type CatalogueBreed, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import type { Db } from '#db/client.ts'

const MAX_TEXT_CHARS = 120

/** Reads the breeds of an address: slugs, or names as people type them. */
export async function readComparison(db: Db, search: URLSearchParams): Promise<Comparison<CatalogueBreed>> {
  const catalogue = await getCatalogue(db)
  const found = await Promise.all(COMPARE_PARAMS.map((name) => readField(db, catalogue, name, search.get(name) ?? '')))
  const named = found.flatMap(({ breed }) => breed ?? [])
  const breeds = [...new Set(named)]
  return {
    breeds,
    fields: found.map(({ field }) => field),
    isRepeated: breeds.length < named.length,
    hasMore: search.has('d') || COMPARE_PARAMS.some((name) => search.getAll(name).length > 1),
  }
}

async function readField(db: Db, { bySlug }: Catalogue, name: (typeof COMPARE_PARAMS)[number], value: string) {
  const text = value.trim().slice(0, MAX_TEXT_CHARS)
  if (!text) return { breed: null, field: { name, text: '', problem: null } }
  const lookup = await lookUpBreed(db, text)
  const slug = 'found' in lookup ? lookup.found : 'moved' in lookup ? lookup.moved : null
  const breed = slug === null ? undefined : bySlug.get(slug)
  if (breed) return { breed, field: { name, text: breed.nombre_castellano, problem: null } }
  const near = 'near' in lookup ? lookup.near.flatMap((other) => bySlug.get(other)?.nombre_castellano ?? []) : []
  const hint = near.length > 0 ? ` ¿Quieres decir ${near.slice(0, 3).join(', ')}?` : ''
  return { breed: null, field: { name, text, problem: `No conocemos esa raza.${hint}` } }
}
