/** The strip's heights in pixels (docs/product.md §16.4). */
export const STRIP_MIN = 200
export const STRIP_MAX = 500
export const STRIP_COLLAPSED = 280
export const STRIP_EXPANDED = 450

/** Height of the map above a resting strip and above an expanded one, px; on a very low screen a share instead. */
const MAP_MIN_AT_REST = 120
const MAP_MIN = 80
const MAP_SHARE = 0.45
/** The strip may also cover the filters, except for this much of the screen: the map gives way first. */
export const SCREEN_MIN_PX = 36
/** Where map and strip share less than this, the strip rests folded, with only its title. */
const LOW_SPACE_PX = 280
export const STRIP_FOLDED = 74
/** Height change of an arrow key and of a page key, px. */
const KEY_STEP = 20
const PAGE_KEY_STEP = 80

export interface HeightRange {
  min: number
  max: number
  /** The default height, also when collapsed. */
  rest: number
}

/** The strip's maximum height that leaves the map visible, where both share `space` pixels. */
export const heightBesideMap = (space: number, mapMin = MAP_MIN): number =>
  Math.min(STRIP_MAX, Math.floor(space - Math.min(mapMin, space * MAP_SHARE)))

/**
 * The range of the strip's height.
 * @param space pixels that the map and the strip share; 0 while unknown
 * @param screen pixels up to which the strip may cover what is above the map; 0 for none
 * @param isLandscape whether it is a phone in landscape: there the strip rests folded whatever the space
 */
export function heightRange(space: number, screen = 0, isLandscape = false): HeightRange {
  if (!(space > 0)) return { min: STRIP_MIN, max: STRIP_MAX, rest: STRIP_COLLAPSED }
  if (isLandscape || space < LOW_SPACE_PX)
    return { min: STRIP_FOLDED, max: Math.max(STRIP_FOLDED, heightBesideMap(space)), rest: STRIP_FOLDED }
  const max = Math.max(heightBesideMap(space), Math.min(STRIP_MAX, screen - SCREEN_MIN_PX))
  const rest = Math.min(STRIP_COLLAPSED, heightBesideMap(space, MAP_MIN_AT_REST))
  return { min: Math.min(STRIP_MIN, rest), max, rest }
}

export const clampHeight = (height: number, { min, max }: HeightRange): number =>
  Math.round(Math.min(max, Math.max(min, height)))

/** The two heights of the chevron: 280 and 450, or the ends of a range that is too small for them. */
function chevronHeights(range: HeightRange): [low: number, high: number] {
  const high = clampHeight(STRIP_EXPANDED, range)
  const low = range.rest
  return [high - low < KEY_STEP * 2 ? range.min : low, high]
}

/** Whether the strip counts as expanded: the chevron then collapses it. */
export function isExpanded(height: number, range: HeightRange): boolean {
  const [low, high] = chevronHeights(range)
  return height >= (low + high) / 2
}

/** The height after the chevron is pressed. */
export const toggledHeight = (height: number, range: HeightRange): number =>
  chevronHeights(range)[isExpanded(height, range) ? 0 : 1]

/** Whether only the title is visible. */
export const isFolded = (height: number): boolean => height < STRIP_FOLDED + KEY_STEP

/** Whether the range is too small to resize. */
export const isFixed = (range: HeightRange): boolean => range.max - range.min < KEY_STEP

/** The height after a key on the handle (WAI-ARIA window splitter); null for other keys. */
export function heightByKey(key: string, height: number, range: HeightRange): number | null {
  const heightByKeyName: Record<string, number> = {
    ArrowUp: height + KEY_STEP,
    ArrowDown: height - KEY_STEP,
    PageUp: height + PAGE_KEY_STEP,
    PageDown: height - PAGE_KEY_STEP,
    Home: range.min,
    End: range.max,
    Enter: toggledHeight(height, range),
  }
  return Object.hasOwn(heightByKeyName, key) ? clampHeight(heightByKeyName[key]!, range) : null
}

/** Parses the height stored for the session; null for any other text. */
export const parseHeight = (text: string | null): number | null =>
  text && /^\d{2,4}$/.test(text) ? clampHeight(Number(text), heightRange(0)) : null
