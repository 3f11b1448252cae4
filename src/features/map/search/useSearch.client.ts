import { useCallback, useEffect, useRef, useState } from 'react'
import type { Geocode } from '#features/places/places.ts'
import {
  FOUND_MESSAGE_MS,
  judgeSearch,
  SEARCH_DEBOUNCE_MS,
  SEARCH_TEXTS,
  normaliseSearch,
  displayPlaceName,
} from './address-search.ts'
import { fetchPlace, countSearch, cachePlace, findCachedPlace, readSearchCount } from './address-search.client.ts'

/** The message below the box: the place that the map shows now, or why the search failed. */
export type AddressMessage = { kind: 'found' | 'busy' | 'note' | 'problem'; text: string }

/** State of the address box (docs/product.md §16.3): starts searches and has their messages. */
export function useSearch(onPlace: (place: Geocode) => void) {
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState<AddressMessage | null>(null)
  /** The last query; null after a failure, so that it can be repeated. */
  const last = useRef<string | null>(null)
  const request = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latestOnPlace = useRef(onPlace)
  useEffect(() => {
    latestOnPlace.current = onPlace
  })

  const stop = useCallback(() => {
    clearTimeout(timer.current)
    request.current?.abort()
    request.current = null
  }, [])
  useEffect(() => stop, [stop])

  const show = useCallback((place: Geocode) => {
    setMessage({ kind: 'found', text: displayPlaceName(place.place_name) })
    latestOnPlace.current(place)
  }, [])
  useEffect(() => {
    if (message?.kind !== 'found') return
    const timer = setTimeout(() => setMessage(null), FOUND_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [message])

  const search = useCallback(
    async (text: string, byEnter: boolean) => {
      const verdict = judgeSearch(text, last.current, readSearchCount())
      if (verdict === 'short') {
        if (byEnter) setMessage({ kind: 'note', text: SEARCH_TEXTS.short })
        return
      }
      // A repetition is no search, but on Enter the map goes to the place again.
      if (verdict === 'repeat' && (!byEnter || request.current)) return
      stop()
      const cached = findCachedPlace(text)
      if (cached) {
        last.current = text
        show(cached)
        return
      }
      // The last search found nothing.
      if (verdict === 'repeat') return
      if (verdict === 'spent') {
        setMessage({ kind: 'problem', text: SEARCH_TEXTS.spent })
        return
      }
      const { signal } = (request.current = new AbortController())
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
        // A failed search does not count.
        countSearch(-1)
        last.current = null
        setMessage({ kind: 'problem', text: (error as Error).message })
      } finally {
        if (!signal.aborted) request.current = null
      }
    },
    [show, stop],
  )

  const type = (value: string) => {
    setTyped(value)
    setMessage((now) => (now?.kind === 'busy' ? now : null))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void search(normaliseSearch(value), false), SEARCH_DEBOUNCE_MS)
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
  /** Removes the message, unless a search is running. */
  const dismiss = useCallback(() => setMessage((now) => (now?.kind === 'busy' ? now : null)), [])
  return { typed, message, type, enter, clear, dismiss }
}
