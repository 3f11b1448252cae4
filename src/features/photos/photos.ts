/**
 * Photo addresses. A stored photo's url is `/photos/{dogId}_{timestamp}_{random}.{ext}`; what a page shows is a render of
 * it under `/_ipx/`, written by unpic and answered by photos.server.ts from an allow-list of boxes (spec.md §7).
 */
export const PHOTOS_MAX = 10

/** The boxes of spec.md §7, CSS pixels and quality; each is also rendered at 2x, never enlarged. */
export const BOXES = {
  card: { width: 300, height: 300, quality: 95 },
  thumb: { width: 120, height: 120, quality: 90 },
  carousel: { width: 900, height: 900, quality: 85 },
  breed: { width: 700, height: 700, quality: 90 },
  small: { width: 100, height: 100, quality: 80 },
  dogThumb: { width: 250, height: 250, quality: 85 },
  default: { width: 500, height: 600, quality: 90 },
  blur: { width: 24, height: 24, quality: 50 },
} as const
export type Box = keyof typeof BOXES
