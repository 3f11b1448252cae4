/** The slides in the document, and how far the first of them stands from the list's beginning. */
export interface VisibleSlides {
  from: number
  to: number
  offset: number
}

/** How the head's arrows move the carousel. */
export interface StepControls {
  go: (by: 1 | -1) => void
}

/** The same slides, and perhaps more behind them. */
export const isLonger = (before: readonly string[], now: readonly string[]): boolean =>
  now.length >= before.length && before.every((id, index) => now[index] === id)

/** Which slide of another list stands first, so that as little as possible seems to move. */
export function anchorIndex(
  before: readonly string[],
  now: readonly string[],
  first: number,
  selected: string | null,
): number {
  const chosen = selected === null ? -1 : now.indexOf(selected)
  if (chosen >= 0) return chosen
  // Who stands at the beginning wants to see what is new there.
  return first > 0 ? Math.max(0, now.indexOf(before[first] ?? '')) : 0
}

/** The slide a step before or behind the selected one; the first that is seen where none is; null past the ends. */
export function stepFrom(ids: readonly string[], selected: string | null, first: number, by: 1 | -1): number | null {
  const at = selected === null ? -1 : ids.indexOf(selected)
  const next = at < 0 ? first : at + by
  return next >= 0 && next < ids.length ? next : null
}
