import type { Dog } from '../dogs.ts'

/** The photos of the carousel: by order, the cover put first where it is not among them (spec.md §3, dog_images). */
export function galleryUrls(dog: Pick<Dog, 'photo_url' | 'images'>): string[] {
  const urls = dog.images.toSorted((a, b) => a.order - b.order).map((image) => image.url)
  return dog.photo_url && !urls.includes(dog.photo_url) ? [dog.photo_url, ...urls] : urls
}

/** The index `step` away, round and round. */
export const wrapIndex = (index: number, step: number, length: number): number =>
  (((index + step) % length) + length) % length
