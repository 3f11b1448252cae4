// Controls over the map cover part of it (frame.css): dogs below them are not counted, and the first view keeps clear of them.

/** The map's edge below the strip's round corners (frame.css). */
const UNDER_STRIP_PX = 26
/** An address search of at least this share of the map's width covers a row of it, as on phones. */
const ROW_MIN_SHARE = 0.75
/** Share of a low map that each edge may take at most: from the counted area, and from the first view. */
const COVERED_MAX_SHARE = 0.3
const CLEARANCE_MAX_SHARE = 0.4

interface Edges {
  top: number
  bottom: number
}

/** Pixels from the map's upper edge to the lower edge of the control `selector`; 0 where there is none, or a narrower one. */
function bottomOf(box: HTMLElement, selector: string, minWidthShare = 0): number {
  const control = box.parentElement?.querySelector(selector)?.getBoundingClientRect()
  const map = box.getBoundingClientRect()
  return control && control.width >= map.width * minWidthShare ? Math.max(0, control.bottom - map.top) : 0
}

/**
 * Pixels of the map that the address search and the strip cover over its whole width. None while a popup takes the whole of a
 * low map (DogPopup.tsx): its dog counts, though its mark is covered.
 */
export function coveredEdges(box: HTMLElement): Edges {
  const maxEdge = box.hasAttribute('data-crowded') ? 0 : Math.round(box.clientHeight * COVERED_MAX_SHARE)
  return {
    top: Math.min(maxEdge, bottomOf(box, '.address .input', ROW_MIN_SHARE)),
    bottom: Math.min(maxEdge, UNDER_STRIP_PX),
  }
}

/** Pixels that the first view keeps free of dogs: search, counter and strip, and half a mark more. @param halfMark px */
export function clearEdges(box: HTMLElement, halfMark: number): Edges {
  const maxEdge = Math.round(box.clientHeight * CLEARANCE_MAX_SHARE)
  return {
    top: Math.min(maxEdge, bottomOf(box, '.map-count') + halfMark),
    bottom: Math.min(maxEdge, UNDER_STRIP_PX + halfMark),
  }
}
