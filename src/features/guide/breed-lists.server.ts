import type { Breed } from '#features/breeds/breeds.ts'
import { countries, ofCountry } from '#features/breeds/countries.ts'
import type { Catalogue, CatalogueBreed } from '#features/breeds/current-catalogue.server.ts'
import { profileOf } from '#features/breeds/profile/profiles.server.ts'
import { slugify } from '#lib/text/slug.ts'
import { type BreedList, FIXED_LISTS, LIST_KINDS, type ListKind } from './breed-lists.ts'
import { describeCountry } from './country-texts.ts'

export interface FilledList extends BreedList {
  breeds: readonly CatalogueBreed[]
}

const listsByCatalogue = new WeakMap<Catalogue, ReadonlyMap<string, FilledList>>()
const keyOf = (kind: string, slug: string) => `${kind}/${slug}`
const collator = new Intl.Collator('es')

/** Every list with its breeds in the album's order, by `kind/slug`; made once per version of the catalogue. */
function listsOf(catalogue: Catalogue): ReadonlyMap<string, FilledList> {
  let lists = listsByCatalogue.get(catalogue)
  if (!lists) {
    const filled = [...FIXED_LISTS.map((list) => fill(list, catalogue)), ...countryLists(catalogue)]
    lists = new Map(filled.filter((list) => list.breeds.length > 0).map((list) => [keyOf(list.kind, list.slug), list]))
    listsByCatalogue.set(catalogue, lists)
  }
  return lists
}

const fill = (list: BreedList, { breeds }: Catalogue): FilledList => ({
  ...list,
  breeds: breeds.filter((breed) => list.includes(breed, profileOf(breed.slug))),
})

function countryLists(catalogue: Catalogue): FilledList[] {
  const all = new Set(catalogue.breeds.flatMap((breed) => countries(breed.pais_origen)))
  return [...all].sort(collator.compare).map((country) => {
    const includes = (breed: Breed) => countries(breed.pais_origen).includes(country)
    const breeds = catalogue.breeds.filter(includes)
    return {
      kind: 'pais',
      slug: slugify(country),
      title: `Razas ${ofCountry(country)}`,
      label: country,
      intro: describeCountry(country, breeds),
      includes,
      breeds,
    }
  })
}

/** The list of an address; undefined where there is none, or none with breeds. */
export const findList = (catalogue: Catalogue, kind: string, slug: string): FilledList | undefined =>
  listsOf(catalogue).get(keyOf(kind, slug))

/** All lists with breeds, by kind, for the guide and the sitemap. */
export function listsByKind(catalogue: Catalogue): { kind: ListKind; heading: string; lists: FilledList[] }[] {
  const all = [...listsOf(catalogue).values()]
  return Object.entries(LIST_KINDS).map(([kind, heading]) => ({
    kind: kind as ListKind,
    heading,
    lists: all.filter((list) => list.kind === kind),
  }))
}

/** The lists that a breed is in, for the links of its page. */
export const listsOfBreed = (catalogue: Catalogue, slug: string): FilledList[] =>
  [...listsOf(catalogue).values()].filter((list) => list.breeds.some((breed) => breed.slug === slug))
