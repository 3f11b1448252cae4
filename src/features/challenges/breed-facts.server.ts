import { type Breed, MIXED_SLUG, normaliseBreed } from '#features/breeds/breeds.ts'
import { allBreeds } from '#features/breeds/catalogue.server.ts'
import { countries } from '#features/breeds/countries.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import type { BreedFacts } from './facts.ts'

function toFacts(breed: Breed): BreedFacts {
  const slug = normaliseBreed(breed.nombre_castellano)
  return {
    slug,
    group: breed.fci_grupo,
    section: breed.fci_seccion ?? '',
    purpose: breed.proposito_original,
    countries: countries(breed.pais_origen),
    coat: breedTraits({ ...breed, slug }).coat,
    ears: breed.orejas,
    tail: breed.cola,
    muzzle: breed.hocico,
    heightMaxCm: breed.altura_cm_max,
    weightMaxKg: breed.peso_kg_max,
    isMixed: slug === MIXED_SLUG,
  }
}

let bySlug: ReadonlyMap<string, BreedFacts> | undefined

/**
 * The facts of all breeds, by slug. They are those of data/razas.json: an admin who mends a text neither gives nor takes badges.
 */
export function breedFacts(): ReadonlyMap<string, BreedFacts> {
  bySlug ??= new Map(allBreeds.map(toFacts).map((facts) => [facts.slug, facts]))
  return bySlug
}
