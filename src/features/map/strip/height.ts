/** The strip's heights in pixels (spec.md §9). */
export const STRIP_MIN = 200
export const STRIP_MAX = 500
export const STRIP_COLLAPSED = 280
export const STRIP_EXPANDED = 450

/** Map that stays to be seen above the strip; of a very low screen a share instead. */
const MAP_KEPT = 160
const MAP_SHARE = 0.45
/** What an arrow key changes, and a page key. */
const STEP = 20
const LEAP = 80

export interface Range {
  min: number
  max: number
}

/** Between which heights the strip may stand where the map and it share `room` pixels; 0 where that is not known yet. */
export function heightRange(room: number): Range {
  if (!(room > 0)) return { min: STRIP_MIN, max: STRIP_MAX }
  const max = Math.min(STRIP_MAX, Math.floor(room - Math.min(MAP_KEPT, room * MAP_SHARE)))
  return { min: Math.min(STRIP_MIN, max), max }
}

export const clampHeight = (height: number, { min, max }: Range): number =>
  Math.round(Math.min(max, Math.max(min, height)))

/** The two heights of the chevron. Where the room is too low for 280 and 450, the range's own ends. */
function ends(range: Range): [low: number, high: number] {
  const high = clampHeight(STRIP_EXPANDED, range)
  const low = clampHeight(STRIP_COLLAPSED, range)
  return [high - low < STEP * 2 ? range.min : low, high]
}

/** Whether the chevron folds it up now. */
export function isExpanded(height: number, range: Range): boolean {
  const [low, high] = ends(range)
  return height >= (low + high) / 2
}

/** Where the chevron leads. */
export const toggled = (height: number, range: Range): number => ends(range)[isExpanded(height, range) ? 0 : 1]

/** Whether there is anything to resize. */
export const isFixed = (range: Range): boolean => range.max - range.min < STEP

/** What a key on the handle makes of the height, as a window splitter's keys do; null for other keys. */
export function heightByKey(key: string, height: number, range: Range): number | null {
  const wanted: Record<string, number> = {
    ArrowUp: height + STEP,
    ArrowDown: height - STEP,
    PageUp: height + LEAP,
    PageDown: height - LEAP,
    Home: range.min,
    End: range.max,
    Enter: toggled(height, range),
  }
  return Object.hasOwn(wanted, key) ? clampHeight(wanted[key]!, range) : null
}

/** A height that was kept for the session, whatever stands there. */
export function readHeight(text: string | null): number {
  const height = text && /^\d{2,4}$/.test(text) ? Number(text) : STRIP_COLLAPSED
  return clampHeight(height, heightRange(0))
}
