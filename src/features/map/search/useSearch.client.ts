import { useCallback, useEffect, useRef, useState } from 'react'
import type { Geocode } from '#features/places/places.ts'
import {
  FOUND_MESSAGE_MS,
  judgeSearch,
  SEARCH_DEBOUNCE,
  SEARCH_TEXTS,
  normaliseSearch,
  displayPlaceName,
} from './address-search.ts'
import { fetchPlace, countSearch, cachePlace, findCachedPlace, searchesDone } from './address-search.client.ts'

/** What stands below the box: where the map went, or why it did not. */
export type AddressMessage = { kind: 'found' | 'busy' | 'note' | 'problem'; text: string }

/** The address box (docs/product.md §16.3): when a text is looked for, where, and what is said about it. */
export function useSearch(onPlace: (place: Geocode) => void) {
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState<AddressMessage | null>(null)
  /** What was last looked for; null when that failed, so that it can be tried again. */
  const last = useRef<string | null>(null)
  const asking = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useRef(onPlace)
  useEffect(() => {
    tell.current = onPlace
  })

  const stop = useCallback(() => {
    clearTimeout(timer.current)
    asking.current?.abort()
    asking.current = null
  }, [])
  useEffect(() => stop, [stop])

  const show = useCallback((place: Geocode) => {
    setMessage({ kind: 'found', text: displayPlaceName(place.place_name) })
    tell.current(place)
  }, [])
  useEffect(() => {
    if (message?.kind !== 'found') return
    const goes = setTimeout(() => setMessage(null), FOUND_MESSAGE_MS)
    return () => clearTimeout(goes)
  }, [message])

  const search = useCallback(
    async (text: string, byEnter: boolean) => {
      const verdict = judgeSearch(text, last.current, searchesDone())
      if (verdict === 'short') {
        if (byEnter) setMessage({ kind: 'note', text: SEARCH_TEXTS.short })
        return
      }
      // The same again is no search, but who presses Enter wants to be there.
      if (verdict === 'repeat' && (!byEnter || asking.current)) return
      stop()
      const kept = findCachedPlace(text)
      if (kept) {
        last.current = text
        show(kept)
        return
      }
      // Asked before, and nothing was found.
      if (verdict === 'repeat') return
      if (verdict === 'spent') {
        setMessage({ kind: 'problem', text: SEARCH_TEXTS.spent })
        return
      }
      const { signal } = (asking.current = new AbortController())
      last.current = text
      countSearch(1)
      setMessage({ kind: 'busy', text: 'Buscando…' })
      try {
        const place = await fetchPlace(text, signal)
        if (signal.aborted) return
        if (place) {
          cachePlace(text, place)
          show(place)
        } else setMessage({ kind: 'problem', text: SEARCH_TEXTS.nothing })
      } catch (error) {
        if (signal.aborted) return
        // A search that could not be made is not held against anybody.
        countSearch(-1)
        last.current = null
        setMessage({ kind: 'problem', text: (error as Error).message })
      } finally {
        if (!signal.aborted) asking.current = null
      }
    },
    [show, stop],
  )

  const type = (value: string) => {
    setTyped(value)
    setMessage((now) => (now?.kind === 'busy' ? now : null))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void search(normaliseSearch(value), false), SEARCH_DEBOUNCE)
  }
  const enter = () => {
    clearTimeout(timer.current)
    void search(normaliseSearch(typed), true)
  }
  const clear = () => {
    stop()
    setTyped('')
    setMessage(null)
  }
  /** Takes the message away, unless it waits for an answer. */
  const dismiss = useCallback(() => setMessage((now) => (now?.kind === 'busy' ? now : null)), [])
  return { typed, message, type, enter, clear, dismiss }
}
