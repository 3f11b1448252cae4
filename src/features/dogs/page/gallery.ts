import { numberedAlt, photoAlt } from '#features/dogs/photo-alt.ts'
import type { Dog } from '../dogs.ts'

/** The photos of the carousel: in order; a cover that is not among them goes first (docs/product.md §5.2). */
export function galleryPhotos(
  dog: Pick<Dog, 'name' | 'breed' | 'zone' | 'photo_url' | 'images'>,
): { url: string; alt: string }[] {
  const { photo_url: cover } = dog
  const images = dog.images.toSorted((a, b) => a.order - b.order)
  const isCoverMissing = cover !== '' && !images.some(({ url }) => url === cover)
  const photos = isCoverMissing ? [{ url: cover, alt: null }, ...images] : images
  return photos.map(({ url, alt }, index) => ({ url, alt: numberedAlt(photoAlt(dog, alt), index, photos.length) }))
}
