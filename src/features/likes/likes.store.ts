import { atom } from 'nanostores'
import { LIKED_MAX } from './likes.ts'

/** The state of all hearts of the page, on top of what the server rendered. It starts empty, as on the server. */
export interface Hearts {
  /** The dogs that the member likes; null until they are loaded, when the rendered state is shown. */
  liked: ReadonlySet<string> | null
  /** Counts that changed since the page was rendered, by dog, and when they arrived (performance.now()). */
  counts: Readonly<Record<string, { now: number; at: number }>>
  /** Dogs whose heart ignores presses for now. */
  resting: ReadonlySet<string>
}

export const $hearts = atom<Hearts>({ liked: null, counts: {}, resting: new Set() })

/** A heart as the server rendered it. */
export interface RenderedHeart {
  liked: boolean
  likes: number
}

/** The state of one dog's heart. */
export function heartState(hearts: Hearts, id: string, rendered: RenderedHeart) {
  return {
    liked: hearts.liked ? hearts.liked.has(id) : rendered.liked,
    likes: hearts.counts[id]?.now ?? rendered.likes,
    resting: hearts.resting.has(id),
  }
}

/** `set` with or without `id`. */
export function withOrWithout(set: ReadonlySet<string> | null, id: string, isIncluded: boolean): ReadonlySet<string> {
  const copy = new Set(set)
  if (isIncluded) copy.add(id)
  else copy.delete(id)
  return copy
}

/**
 * Discards the counts that are older than a list which has come from the server. Counts that arrived after the request are
 * newer than the list and stay.
 * @param requestedAt performance.now() when the list was requested
 */
export function discardStaleCounts(ids: readonly string[], requestedAt: number): void {
  const hearts = $hearts.get()
  // A member who likes more dogs than the browser has loaded may like one of these.
  if (ids.length > 0 && hearts.liked && hearts.liked.size >= LIKED_MAX)
    window.dispatchEvent(new CustomEvent('perrario:listed', { detail: ids }))
  const old = ids.filter((id) => hearts.counts[id] && hearts.counts[id].at < requestedAt)
  if (old.length === 0) return
  const counts = { ...hearts.counts }
  for (const id of old) delete counts[id]
  $hearts.set({ ...hearts, counts })
}
