import { useCallback, useEffect, useRef, useState } from 'react'
import type { Dog, DogPage } from '../dogs.ts'
import { ListError, loadDogs } from './list.client.ts'
import { formatListQuery, type ListQuery, parseListQuery } from './list-query.ts'
import { saveListPosition, readListPosition } from './list-position.client.ts'

export interface InitialList {
  query: ListQuery
  page: DogPage | null
  /** Those of its dogs that the member who looks likes. */
  liked: string[]
  /** Why the server could not read the first page. */
  error: string | null
}

/** The toasts build themselves on import, so they wait until there is a browser and something to say. */
async function showErrorToast({ title, text }: ListError) {
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title, text, kind: 'error', style: 'dialog' })
}

const isFocusedOn = (selector: string) => document.activeElement?.matches(selector) ?? false

export type ListState = 'loaded' | 'loading' | 'error'

/** The list behind the grid: filters in the address, pages by cursor, the place kept for the session. */
export function useDogList(start: InitialList) {
  const [query, setQuery] = useState(start.query)
  const [dogs, setDogs] = useState<Dog[]>(start.page?.dogs ?? [])
  const [nextCursor, setNextCursor] = useState(start.page?.nextCursor ?? null)
  const [stats, setStats] = useState(start.page?.stats ?? null)
  const [state, setState] = useState<ListState>(start.error ? 'error' : 'loaded')
  const [error, setError] = useState(start.error)
  const [more, setMore] = useState(false)
  /** How many «Ver más» has brought, and the first of them. */
  const [added, setAdded] = useState<{ count: number; first: string | undefined }>()
  const running = useRef<AbortController | null>(null)

  const fail = useCallback((reason: unknown) => {
    if (!(reason instanceof ListError)) return
    setDogs([])
    setNextCursor(null)
    setError(reason.message)
    setState('error')
    void showErrorToast(reason)
  }, [])

  const load = useCallback(
    async (wanted: ListQuery) => {
      running.current?.abort()
      const { signal } = (running.current = new AbortController())
      setState('loading')
      setAdded(undefined)
      try {
        const page = await loadDogs(wanted, undefined, signal)
        setDogs(page.dogs)
        setNextCursor(page.nextCursor)
        setStats(page.stats)
        setError(null)
        setState('loaded')
      } catch (reason) {
        if (!signal.aborted) fail(reason)
      }
    },
    [fail],
  )

  /** Goes to another filter, sort or view: a new address, and the list it names. */
  const go = useCallback(
    (change: Partial<ListQuery>) => {
      const wanted = { ...query, ...change }
      history.pushState(null, '', location.pathname + formatListQuery(wanted))
      setQuery(wanted)
      if (wanted.breed !== query.breed || wanted.size !== query.size || wanted.sort !== query.sort) void load(wanted)
    },
    [query, load],
  )

  const loadMore = useCallback(async () => {
    if (!nextCursor || more) return
    setMore(true)
    try {
      const page = await loadDogs(query, nextCursor)
      // A dog added meanwhile may have pushed one that is already here across the page's edge.
      const fresh = page.dogs.filter((dog) => !dogs.some((known) => known.id === dog.id))
      setDogs((known) => [...known, ...fresh.filter((dog) => !known.some((k) => k.id === dog.id))])
      setAdded({ count: fresh.length, first: fresh[0]?.id })
      setNextCursor(page.nextCursor)
    } catch (reason) {
      if (reason instanceof ListError) void showErrorToast(reason)
    } finally {
      setMore(false)
    }
  }, [query, dogs, nextCursor, more])

  // Whoever pressed goes on with the first of them: the link may be gone, and they stand above it.
  useEffect(() => {
    if (!added?.first || !(isFocusedOn('.btn.more') || document.activeElement === document.body)) return
    document.querySelector<HTMLElement>(`[data-dog="${added.first}"] h3 a`)?.focus({ preventScroll: true })
  }, [added])

  useEffect(() => {
    const back = () => {
      const wanted = parseListQuery(new URLSearchParams(location.search))
      setQuery(wanted)
      void load(wanted)
    }
    const saved = () => void load(parseListQuery(new URLSearchParams(location.search)))
    window.addEventListener('popstate', back)
    window.addEventListener('perrario:dog-saved', saved)
    return () => {
      window.removeEventListener('popstate', back)
      window.removeEventListener('perrario:dog-saved', saved)
    }
  }, [load])

  useListPosition(query, dogs, nextCursor, (place) => {
    setDogs(place.dogs)
    setNextCursor(place.nextCursor)
  })

  const retry = useCallback(() => void load(query), [load, query])
  return { query, dogs, stats, state, error, nextCursor, more, added, go, loadMore, retry }
}

/** Keeps how far the list was read when the page is left, and goes back there on return. */
function useListPosition(
  query: ListQuery,
  dogs: Dog[],
  nextCursor: string | null,
  restore: (place: { dogs: Dog[]; nextCursor: string | null }) => void,
) {
  const address = formatListQuery({ ...query, view: 'grid' })
  const latest = useRef({ address, dogs, nextCursor, restore })
  useEffect(() => {
    latest.current = { address, dogs, nextCursor, restore }
  })
  useEffect(() => {
    const place = readListPosition(latest.current.address)
    if (place && place.y > 0) {
      if (place.dogs.length > latest.current.dogs.length) latest.current.restore(place)
      // After the longer list is laid out, and only where the browser has not restored the place itself.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => scrollY === 0 && scrollTo({ top: place.y, behavior: 'instant' })),
      )
    }
    const leave = () => {
      const { restore: _, ...place } = latest.current
      saveListPosition({ ...place, y: scrollY })
    }
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [])
}
