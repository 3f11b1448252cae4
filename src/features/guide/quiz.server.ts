import breedKeys from '#data/dog-breed-keys.json' with { type: 'json' }
import { MIXED_SLUG, normaliseBreed } from '#features/breeds/breeds.ts'
import type { Catalogue, CatalogueBreed } from '#features/breeds/current-catalogue.server.ts'
import { dangerousDogStatus, regionsText } from '#features/breeds/profile/law.ts'
import { breedMark } from '#features/breeds/profile/marks.ts'
import { profileOf } from '#features/breeds/profile/profiles.server.ts'
import { traitOf } from '#features/breeds/profile/profiles.ts'
import { type Answers, type Match, matchBreeds } from './quiz.ts'

/** Breeds that people meet: among equals they come first. */
const wellKnown = new Set(
  [...Object.values(breedKeys.mappings), ...Object.values(breedKeys.subbreeds)].map(normaliseBreed),
)
const rank = (breed: CatalogueBreed) => (wellKnown.has(breed.slug) ? 0 : 1)

/** The suggested breeds, not the mixed one: the page speaks of it by itself. To whoever does not say that they have had dogs, none with a mark. */
export function suggestBreeds(answers: Answers, catalogue: Catalogue): Match<CatalogueBreed>[] {
  const hasHadDogs = ['alguna', 'mucha'].includes(answers.get('experiencia')?.value ?? '')
  const breeds = catalogue.breeds.filter((breed) => breed.slug !== MIXED_SLUG && (hasHadDogs || !breedMark(breed)))
  return matchBreeds(
    answers,
    breeds.toSorted((a, b) => rank(a) - rank(b)),
    (breed) => profileOf(breed.slug),
  )
}

/** What one should know before choosing the breed: the licence, the short muzzle, the heat. */
export function warningsOf(breed: CatalogueBreed): string[] {
  const status = dangerousDogStatus(breed.slug)
  const regions = regionsText(breed.slug)
  const heat = traitOf(profileOf(breed.slug), 'heat')
  return [
    ...(status === 'listed' ? ['En España pide licencia, seguro, bozal y correa corta.'] : []),
    ...(status === 'often-included'
      ? ['En España pueden pedirte licencia y seguro: pregunta en tu ayuntamiento.']
      : []),
    ...(regions ? [`En ${regions} pide licencia, seguro, bozal y correa corta.`] : []),
    ...(breed.hocico === 'chata' ? ['Tiene el hocico chato: se ahoga con el calor y con el esfuerzo.'] : []),
    ...(breed.hocico !== 'chata' && heat !== undefined && heat <= 1 ? ['El verano lo pasa muy mal.'] : []),
  ]
}
