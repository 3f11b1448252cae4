/** The signed-out profile's card shows up to this many recent photos and moves on this often, ms (docs/product.md §9.1). */
export const MAX_CAROUSEL_PHOTOS = 8
/** Among this many newest dogs, for the photos whose address cannot be shown are passed over. */
export const CAROUSEL_CANDIDATE_DOGS = 20
export const CAROUSEL_INTERVAL_MS = 8000

/** Where the photo at `index` of `count` lies after `step` moves: 1 to 3 in the fan (3 on top), 0 out of sight. */
export function carouselPosition(index: number, count: number, step: number): number {
  const shown = Math.min(3, count)
  const turn = (((index - step) % count) + count) % count
  return turn < shown ? turn + 1 : 0
}
