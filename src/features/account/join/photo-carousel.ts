/** Photos that the signed-out profile's card shows at most (docs/product.md §9.1). */
export const MAX_CAROUSEL_PHOTOS = 8
/** Newest dogs read for them: dogs with an invalid photo address are skipped. */
export const CAROUSEL_CANDIDATE_DOGS = 20
export const CAROUSEL_INTERVAL_MS = 8000

/** Position of the photo at `index` of `count` after `step` moves: 1 to 3 (3 on top), 0 for hidden. */
export function carouselPosition(index: number, count: number, step: number): number {
  const visibleCount = Math.min(3, count)
  const turn = (((index - step) % count) + count) % count
  return turn < visibleCount ? turn + 1 : 0
}
