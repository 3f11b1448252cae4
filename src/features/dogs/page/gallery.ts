import { numberedAlt, photoAlt } from '#features/dogs/photo-alt.ts'
import type { Dog } from '../dogs.ts'

/** The photos of the carousel: by order, the cover put first where it is not among them (docs/product.md §5.2). */
export function galleryPhotos(
  dog: Pick<Dog, 'name' | 'breed' | 'zone' | 'photo_url' | 'images'>,
): { url: string; alt: string }[] {
  const { photo_url: cover } = dog
  const images = dog.images.toSorted((a, b) => a.order - b.order)
  const isLoose = cover !== '' && !images.some(({ url }) => url === cover)
  const all = isLoose ? [{ url: cover, alt: null }, ...images] : images
  return all.map(({ url, alt }, at) => ({ url, alt: numberedAlt(photoAlt(dog, alt), at, all.length) }))
}

/** The index `step` away, round and round. */
export const wrapIndex = (index: number, step: number, length: number): number =>
  (((index + step) % length) + length) % length
