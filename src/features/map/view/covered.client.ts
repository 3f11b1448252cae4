// Controls over the map cover part of it (frame.css): dogs below them are not counted, and the first view keeps clear of them.

/** The map's edge below the strip's round corners (frame.css). */
const UNDER_STRIP_PX = 26
/** An address search of at least this share of the map's width covers a row of it, as on phones. */
const ROW_MIN_SHARE = 0.7
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
 * @param height of the map as Leaflet knows it, px; until the next frame the box may have another one
 */
export function coveredEdges(box: HTMLElement, height: number): Edges {
  const maxEdge = box.hasAttribute('data-crowded') ? 0 : Math.round(height * COVERED_MAX_SHARE)
  return {
    top: Math.min(maxEdge, bottomOf(box, '.address .input', ROW_MIN_SHARE)),
    bottom: Math.min(maxEdge, UNDER_STRIP_PX),
  }
}

/** Pixels that the first view keeps free of dogs at each edge of the map. */
export interface Clearance extends Edges {
  left: number
  right: number
}

/**
 * The ways to keep the first view's dogs clear of search, counter and strip, the better one first where both show them equally
 * large: below search and counter, or beside them, which a low and wide map has more space for.
 * @param halfMark px
 * @param margin px beside the marks
 */
export function clearances(box: HTMLElement, halfMark: number, margin: number): Clearance[] {
  const { clientHeight, clientWidth } = box
  const maxEdge = Math.round(clientHeight * CLEARANCE_MAX_SHARE)
  const bottom = Math.min(maxEdge, UNDER_STRIP_PX + halfMark)
  const below = { top: Math.min(maxEdge, bottomOf(box, '.map-count') + halfMark), bottom, left: margin, right: margin }
  const count = box.parentElement?.querySelector('.map-count')?.getBoundingClientRect()
  const tools = box.parentElement?.querySelector('.map-tools')?.getBoundingClientRect()
  if (!count || !tools) return [below]
  const { left } = box.getBoundingClientRect()
  const beside = {
    top: Math.min(maxEdge, halfMark),
    bottom,
    left: Math.ceil(count.right - left) + halfMark,
    right: Math.ceil(left + clientWidth - tools.left) + halfMark,
  }
  return beside.left + beside.right < clientWidth ? [below, beside] : [below]
}
