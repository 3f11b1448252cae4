import type { CatalogueBreed } from '#features/breeds/current-catalogue.server.ts'
import type { GuideCard } from './cards.ts'
import { breedMark } from '#features/breeds/profile/marks.ts'
import { breedImageUrl, type OperatorPhoto } from '#features/breeds/operator-photos.server.ts'

/** Breeds as cards with their portrait, whether or not the community has one. */
export const guideCards = (
  breeds: readonly CatalogueBreed[],
  photos: ReadonlyMap<string, OperatorPhoto>,
): GuideCard[] =>
  breeds.map((breed) => ({
    slug: breed.slug,
    name: breed.nombre_castellano,
    image: breedImageUrl(breed, 'thumb', photos),
    note: breed.temperamento
      .split(',')
      .slice(0, 3)
      .map((word) => word.trim())
      .join(', '),
    mark: breedMark(breed),
  }))
