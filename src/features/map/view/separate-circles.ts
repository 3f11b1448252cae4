/** Pixels that stay between two marks: Leaflet rounds positions to whole pixels. */
const GAP_PX = 2
/** Rounds after which crowded circles stay as they are; a view of Spain takes some ten. */
const ROUNDS_MAX = 200

/** A mark as a circle, in pixels of the zoom's world. */
export interface Circle {
  x: number
  y: number
  radius: number
  /** Whether the others make way for it. */
  isFixed: boolean
}

/**
 * Moves overlapping circles apart, in place, each by half of what is missing. Supercluster's radius separates the dogs from which
 * clusters start; their centroids, where the circles stand, may be nearer.
 */
export function separateCircles(circles: readonly Circle[]): void {
  let hasOverlap = true
  for (let round = 0; hasOverlap && round < ROUNDS_MAX; round++) {
    hasOverlap = false
    for (const [i, a] of circles.entries()) for (const b of circles.slice(i + 1)) if (pushApart(a, b)) hasOverlap = true
  }
}

/** @returns whether they overlapped and one of them could move */
function pushApart(a: Circle, b: Circle): boolean {
  if (a.isFixed && b.isFixed) return false
  const distance = Math.hypot(b.x - a.x, b.y - a.y)
  const missing = a.radius + b.radius + GAP_PX - distance
  // Half of what is missing, again and again, never is the whole.
  if (missing < 0.01) return false
  const [x, y] = distance > 0 ? [(b.x - a.x) / distance, (b.y - a.y) / distance] : [1, 0]
  const share = a.isFixed ? 0 : b.isFixed ? 1 : 0.5
  a.x -= x * missing * share
  a.y -= y * missing * share
  b.x += x * missing * (1 - share)
  b.y += y * missing * (1 - share)
  return true
}
