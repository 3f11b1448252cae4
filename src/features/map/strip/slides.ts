/** The range of slides in the document, and the offset of the first from the list's start, px. */
export interface VisibleSlides {
  from: number
  to: number
  offset: number
}

/** Moves the carousel from the arrows of the strip's header. */
export interface StepControls {
  go: (by: 1 | -1) => void
}

/** Whether `now` is `before`, possibly with more slides after it. */
export const isLonger = (before: readonly string[], now: readonly string[]): boolean =>
  now.length >= before.length && before.every((id, index) => now[index] === id)

/** Index of the slide to show first in a changed list, so that as little as possible moves. */
export function anchorIndex(
  before: readonly string[],
  now: readonly string[],
  first: number,
  selected: string | null,
): number {
  const chosen = selected === null ? -1 : now.indexOf(selected)
  if (chosen >= 0) return chosen
  // At the start of the list new slides come into view.
  return first > 0 ? Math.max(0, now.indexOf(before[first] ?? '')) : 0
}

/** Index of the slide next to the selected one, or the first visible one without a selection; null past the ends. */
export function stepFrom(ids: readonly string[], selected: string | null, first: number, by: 1 | -1): number | null {
  const at = selected === null ? -1 : ids.indexOf(selected)
  const next = at < 0 ? first : at + by
  return next >= 0 && next < ids.length ? next : null
}
