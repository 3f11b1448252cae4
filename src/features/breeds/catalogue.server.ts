import breedKeys from '#data/dog-breed-keys.json' with { type: 'json' }
import mapped from '#data/breed-mappings.json' with { type: 'json' }
import razas from '#data/razas.json' with { type: 'json' }
import reverse from '#data/reverse-breed-mappings.json' with { type: 'json' }
import { type Breed, normaliseBreed } from './breeds.ts'
import { type BreedTable, breedResolver } from './match.ts'

const collator = new Intl.Collator('es')

/** Every breed of the catalogue, in alphabetical order. */
export const allBreeds: readonly Breed[] = (razas as Breed[]).toSorted((a, b) =>
  collator.compare(a.nombre_castellano, b.nombre_castellano),
)

/** Number of breeds: what «Completado» and the progress texts divide by. */
export const totalBreeds = allBreeds.length

/** V8 keeps a slug of «ñ» in two bytes a letter, like the decomposed text that it is cut from, and then every page that it is part of. */
const toOneByteLetters = (ascii: string): string => Buffer.from(ascii).toString('latin1')

/** Slug and name of each breed in the same order, for the picker and the filter. */
export const breedNames: readonly { slug: string; name: string }[] = allBreeds.map((breed) => ({
  slug: toOneByteLetters(normaliseBreed(breed.nombre_castellano)),
  name: breed.nombre_castellano,
}))

const bySlug = new Map(allBreeds.map((breed) => [normaliseBreed(breed.nombre_castellano), breed]))

/** The breed with this slug (`pastor-aleman`), or undefined. */
export const breedBySlug = (slug: string): Breed | undefined => bySlug.get(slug)

const otherSpellings: BreedTable = Object.fromEntries(
  allBreeds.flatMap((breed) =>
    [...breed.alias, breed.nombre_original, breed.nombre_ingles].map((text) => [text, breed.nombre_castellano]),
  ),
)

/**
 * The catalogue breed of a stored, typed or detected text: by catalogue name, by a mapping of data/breed-mappings.json, by
 * another name of the breed, or by a short key (`retriever-golden`). An unknown text shows as written and counts as Mestizo.
 */
export const resolveBreed = breedResolver(
  allBreeds.map((breed) => breed.nombre_castellano),
  [mapped.mappings, otherSpellings, breedKeys.mappings, breedKeys.subbreeds],
  mapped.ambiguous,
)

const otherNamesByBreed = new Map<string, readonly string[]>(Object.entries(reverse.mappings))

/** Other names of a breed, for its page and for searches: the reverse of the mappings. */
export const otherNames = (name: string): readonly string[] => otherNamesByBreed.get(name) ?? []
