import { atom } from 'nanostores'
import { LIKED_MAX } from './likes.ts'

/** What every heart of the page shows besides what the server rendered. It starts knowing nothing, as the server does. */
export interface Hearts {
  /** The dogs the member likes; null until a script knows: then what was rendered holds. */
  liked: ReadonlySet<string> | null
  /** Counts that changed since, by dog, and when they were learnt (performance.now()). */
  counts: Readonly<Record<string, { now: number; at: number }>>
  /** Dogs whose heart rests after a press. */
  resting: ReadonlySet<string>
}

export const $hearts = atom<Hearts>({ liked: null, counts: {}, resting: new Set() })

/** What a heart was rendered with. */
export interface RenderedHeart {
  liked: boolean
  likes: number
}

/** One heart's part of it. */
export function heartState(hearts: Hearts, id: string, rendered: RenderedHeart) {
  return {
    liked: hearts.liked ? hearts.liked.has(id) : rendered.liked,
    likes: hearts.counts[id]?.now ?? rendered.likes,
    resting: hearts.resting.has(id),
  }
}

/** `set` with or without `id`. */
export function withOrWithout(set: ReadonlySet<string> | null, id: string, wanted: boolean): ReadonlySet<string> {
  const copy = new Set(set)
  if (wanted) copy.add(id)
  else copy.delete(id)
  return copy
}

/**
 * A list has come from the server: what was learnt before it was asked for is in it, so its own counts hold. What was
 * learnt since is newer.
 * @param askedAt performance.now() when it was asked for
 */
export function discardStaleCounts(ids: readonly string[], askedAt: number): void {
  const hearts = $hearts.get()
  // Who likes more dogs than the browser was told may like one of these.
  if (ids.length > 0 && hearts.liked && hearts.liked.size >= LIKED_MAX)
    window.dispatchEvent(new CustomEvent('perrario:listed', { detail: ids }))
  const old = ids.filter((id) => hearts.counts[id] && hearts.counts[id].at < askedAt)
  if (old.length === 0) return
  const counts = { ...hearts.counts }
  for (const id of old) delete counts[id]
  $hearts.set({ ...hearts, counts })
}
