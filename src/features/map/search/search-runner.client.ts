import type { Geocode } from '#features/places/places.ts'
import { explainError } from '#lib/error-text.ts'
import { displayPlaceName, judgeSearch, normaliseSearch, SEARCH_DEBOUNCE_MS, SEARCH_TEXTS } from './address-search.ts'
import { fetchPlace, countSearch, cachePlace, findCachedPlace, readSearchCount } from './address-search.client.ts'

/** The message below the box: the place that the map shows now, or why the search failed. */
export type AddressMessage = { kind: 'found' | 'busy' | 'note' | 'problem'; text: string }

/** The searches of the address box (docs/product.md §16.3), one at a time: after a pause in typing, or on Enter. */
export function searchRunner(onMessage: (message: AddressMessage) => void) {
  let onPlace: (place: Geocode) => void
  /** The last query; null after a failure, so that it can be repeated. */
  let last: string | null = null
  let request: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const say = (kind: AddressMessage['kind'], text: string) => onMessage({ kind, text })
  const stop = () => {
    clearTimeout(timer)
    request?.abort()
    request = null
  }
  const show = (place: Geocode) => {
    say('found', displayPlaceName(place.place_name))
    onPlace(place)
  }
  const run = async (text: string, byEnter: boolean) => {
    const verdict = judgeSearch(text, last, readSearchCount())
    if (verdict === 'short') return byEnter && say('note', SEARCH_TEXTS.short)
    // A repetition is no search, but on Enter the map goes to the place again.
    if (verdict === 'repeat' && (!byEnter || request)) return
    stop()
    const cached = findCachedPlace(text)
    if (cached) {
      last = text
      return show(cached)
    }
    // The last search found nothing.
    if (verdict === 'repeat') return
    if (verdict === 'spent') return say('problem', SEARCH_TEXTS.spent)
    const { signal } = (request = new AbortController())
    last = text
    countSearch(1)
    say('busy', 'Buscando…')
    try {
      const place = await fetchPlace(text, signal)
      if (signal.aborted) return
      if (place) {
        cachePlace(text, place)
        show(place)
      } else say('problem', SEARCH_TEXTS.nothing)
    } catch (error) {
      if (signal.aborted) return
      // A failed search does not count.
      countSearch(-1)
      last = null
      say('problem', explainError(error))
    } finally {
      if (!signal.aborted) request = null
    }
  }
  return {
    /** Calls `listener`, and no earlier one, with the places that are found. */
    listen(listener: typeof onPlace) {
      onPlace = listener
    },
    /** Searches at once with `byEnter`, else after a pause in typing. */
    search(typed: string, byEnter: boolean) {
      clearTimeout(timer)
      const start = () => void run(normaliseSearch(typed), byEnter)
      if (byEnter) start()
      else timer = setTimeout(start, SEARCH_DEBOUNCE_MS)
    },
    /** Cancels the pending search and the running one. */
    stop,
  }
}
