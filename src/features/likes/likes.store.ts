import { atom } from 'nanostores'

/** What every heart of the page shows besides the server's numbers. Empty at the start, as the server renders it. */
export interface Hearts {
  /** The dogs the member likes. */
  liked: ReadonlySet<string>
  /**
   * Counts changed here, by dog: `now` holds for hearts rendered with `from`. A heart that was rendered with another
   * count since knows better.
   */
  counts: Readonly<Record<string, { from: number; now: number }>>
  /** Dogs whose heart rests after a press. */
  resting: ReadonlySet<string>
}

export const $hearts = atom<Hearts>({ liked: new Set(), counts: {}, resting: new Set() })

/** One heart's part of it. @param rendered the count it was rendered with */
export function heartOf(hearts: Hearts, id: string, rendered: number) {
  const count = hearts.counts[id]
  return {
    liked: hearts.liked.has(id),
    likes: count?.from === rendered ? count.now : rendered,
    resting: hearts.resting.has(id),
  }
}

/** `set` with or without `id`. */
export function having(set: ReadonlySet<string>, id: string, wanted: boolean): ReadonlySet<string> {
  const copy = new Set(set)
  if (wanted) copy.add(id)
  else copy.delete(id)
  return copy
}
