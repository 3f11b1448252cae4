import type { Box } from '#lib/topology.ts'
import { separateCircles } from '#features/map/view/separate-circles.ts'

/** From this zoom on every lost dog has its own mark: streets part those that a zone's middle puts in one place. */
export const APART_ZOOM = 15
/** Half of what a finger needs. */
const RADIUS_PX = 22

/** A place in pixels of the zoom's world. */
interface Place {
  x: number
  y: number
}

export interface LostGroup<T> extends Place {
  /** At least one; the first stands where the mark did before it made way. */
  members: T[]
}

/** What marks cover that were laid out at another zoom and stay on the map until theirs are loaded: a photo hangs from its foot. */
export function coveredAt(zoom: number, laidOut: { zoom: number; boxes: readonly Box[] }): Box[] {
  const scale = 2 ** (zoom - laidOut.zoom)
  return laidOut.boxes.map(([left, top, right, bottom]) => {
    const [width, height] = [right - left, bottom - top]
    const x = ((left + right) / 2) * scale
    const foot = width === height ? ((top + bottom) / 2) * scale + height / 2 : bottom * scale
    return [x - width / 2, foot - height, x + width / 2, foot]
  })
}

/**
 * Lays out the marks of lost dogs: farther away than APART_ZOOM, those that would lie on one another are one, and each makes way for the
 * other marks of the map.
 * @param covered what those cover, in the same pixels
 */
export function layOutLost<T extends Place>(
  places: readonly T[],
  zoom: number,
  covered: readonly Box[],
): LostGroup<T>[] {
  const groups: LostGroup<T>[] = []
  for (const place of places) {
    const near =
      zoom < APART_ZOOM ? groups.find(({ x, y }) => Math.hypot(x - place.x, y - place.y) < 2 * RADIUS_PX) : undefined
    if (near) near.members.push(place)
    else groups.push({ x: place.x, y: place.y, members: [place] })
  }
  const circles = groups.map(({ x, y }) => ({ x, y, radius: RADIUS_PX, isFixed: false }))
  const others = covered.map(([left, top, right, bottom]) => ({
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    radius: Math.max(right - left, bottom - top) / 2,
    isFixed: true,
  }))
  separateCircles([...circles, ...others])
  return groups.map(({ members }, at) => ({ x: circles[at]!.x, y: circles[at]!.y, members }))
}
