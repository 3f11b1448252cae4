// What stands over the map covers part of it (frame.css): dogs under it are not counted, and the first view leaves it free.

/** How far the map runs under the strip's round corners, px (frame.css). */
const UNDER_STRIP = 26
/** From this share of the map's width on the address search covers a row of it, as on phones. */
const ROW_SHARE = 0.75
/** A low map counts at least the rest, and shows at least the rest to its first view. */
const COVERED_MAX = 0.3
const ROOM_MAX = 0.4

interface Edges {
  top: number
  bottom: number
}

/** Pixels from the map's upper edge to the lower one of what `selector` names; 0 where there is none. */
function reachOf(box: HTMLElement, selector: string, least = 0): number {
  const over = box.parentElement?.querySelector(selector)?.getBoundingClientRect()
  const map = box.getBoundingClientRect()
  return over && over.width >= map.width * least ? Math.max(0, over.bottom - map.top) : 0
}

/** Pixels of the map that lie, over its whole width, under the address search and the strip. */
export function coveredEdges(box: HTMLElement): Edges {
  const most = Math.round(box.clientHeight * COVERED_MAX)
  return {
    top: Math.min(most, reachOf(box, '.address .input', ROW_SHARE)),
    bottom: Math.min(most, UNDER_STRIP),
  }
}

/** Pixels that the first view keeps free of dogs: search, counter and strip, and half a mark more. @param mark px */
export function freeEdges(box: HTMLElement, mark: number): Edges {
  const most = Math.round(box.clientHeight * ROOM_MAX)
  return {
    top: Math.min(most, reachOf(box, '.map-count') + mark),
    bottom: Math.min(most, UNDER_STRIP + mark),
  }
}
