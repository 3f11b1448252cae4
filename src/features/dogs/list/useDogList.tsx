import { useCallback, useEffect, useRef, useState } from 'react'
import { ServerOnly } from '#lib/server-only.ts'
import { type CardDog, toCardDog } from '../card/card-dog.ts'
import type { DogPage, DogStats } from '../dogs.ts'
import { ListError, loadDogs } from './list.client.ts'
import { formatListQuery, type ListQuery, parseListQuery } from './list-query.ts'
import { readListMarkup } from './list-markup.client.ts'
import { saveListPosition, readListPosition } from './list-position.client.ts'
import { type RenderedList, unpackStats } from './rendered-list.ts'

export interface InitialList {
  query: ListQuery
  page: DogPage | null
  /** Ids of its dogs that the viewer likes. */
  liked: string[]
  /** The error that kept the server from reading the first page. */
  error: string | null
}

/** The props are part of the page and hold nothing that depends on the viewer. */
export interface IslandProps {
  /** The query string of its filters and sort (list-query.ts). */
  query: string
  /** Packed statistics; null where the server could not read the list. */
  stats: string | null
  /** The error that kept the server from reading the first page. */
  error: string | null
  /** The order has changed since the pages before. */
  isReordered?: boolean
  server: ServerOnly<RenderedList>
}

/** Dismisses the last error's toast: the next list that loads makes it obsolete. */
let dismissErrorToast: (() => void) | undefined

/** Imported on use: toasts need a document, and the server renders this island too. */
async function showErrorToast({ title, text }: ListError) {
  const toasts = await import('#ui/toast/toast.client.ts')
  dismissErrorToast = toasts.toast({ title, text, kind: 'error', style: 'dialog' })
}

const notIn = (known: CardDog[]) => (dog: CardDog) => !known.some(({ id }) => id === dog.id)

const isFocusedOn = (selector: string) => document.activeElement?.matches(selector)

export type ListState = 'loaded' | 'loading' | 'error'

/** The state of the list: filters in the address, pages by cursor, the scroll position stored for the session. */
export function useDogList(start: IslandProps) {
  const [rendered] = useState<RenderedList>(() => ServerOnly.read(start.server) ?? readListMarkup())
  const [breedOptions] = useState({ __html: rendered.breedOptions })
  const [query, setQuery] = useState(() => parseListQuery(new URLSearchParams(start.query)))
  const [dogs, setDogs] = useState(rendered.dogs)
  const [nextCursor, setNextCursor] = useState(rendered.nextCursor)
  const [stats, setStats] = useState(() => (start.stats === null ? null : unpackStats(start.stats)))
  const [state, setState] = useState<ListState>(start.error ? 'error' : 'loaded')
  const [error, setError] = useState(start.error)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [isReordered, setReordered] = useState(start.isReordered === true)
  /** How many dogs «Ver más» added last, and the id of the first. */
  const [added, setAdded] = useState<{ count: number; first: string | undefined }>()
  const request = useRef<AbortController | null>(null)

  const fail = useCallback((reason: unknown) => {
    if (!(reason instanceof ListError)) return
    setDogs([])
    setNextCursor(null)
    setError(reason.message)
    setState('error')
    void showErrorToast(reason)
  }, [])

  const load = useCallback(
    async (next: ListQuery) => {
      request.current?.abort()
      const { signal } = (request.current = new AbortController())
      setState('loading')
      setAdded(undefined)
      try {
        const page = await loadDogs(next, undefined, signal)
        setDogs(page.dogs.map(toCardDog))
        setNextCursor(page.nextCursor)
        setReordered(false)
        setStats(page.stats)
        setError(null)
        setState('loaded')
        dismissErrorToast?.()
      } catch (reason) {
        if (!signal.aborted) fail(reason)
      }
    },
    [fail],
  )

  /** Changes filter, sort or view: pushes the new address and loads its list. */
  const go = (change: Partial<ListQuery>) => {
    const next = { ...query, ...change }
    history.pushState(null, '', location.pathname + formatListQuery(next))
    setQuery(next)
    if (next.breed !== query.breed || next.size !== query.size || next.sort !== query.sort) void load(next)
  }

  const loadMore = async () => {
    if (!nextCursor || isLoadingMore) return
    setLoadingMore(true)
    try {
      const page = await loadDogs(query, nextCursor)
      // A dog added meanwhile shifts the pages: the next one may repeat a dog.
      const fresh = page.dogs.map(toCardDog).filter(notIn(dogs))
      setDogs((known) => [...known, ...fresh.filter(notIn(known))])
      setAdded({ count: fresh.length, first: fresh[0]?.id })
      setNextCursor(page.nextCursor)
      if (page.reordered) setReordered(true)
      dismissErrorToast?.()
    } catch (reason) {
      if (reason instanceof ListError) void showErrorToast(reason)
    } finally {
      setLoadingMore(false)
    }
  }

  // Moves the focus to the first added dog: «Ver más» may be gone, and the dogs are above it.
  useEffect(() => {
    if (!added?.first || !(isFocusedOn('.btn.more') || document.activeElement === document.body)) return
    document.querySelector<HTMLElement>(`[data-dog="${added.first}"] h3 a`)?.focus({ preventScroll: true })
  }, [added])

  useEffect(() => {
    const loadAddress = () => {
      const next = parseListQuery(new URLSearchParams(location.search))
      setQuery(next)
      void load(next)
    }
    const listeners = new AbortController()
    window.addEventListener('popstate', loadAddress, listeners)
    window.addEventListener('perrario:dog-saved', loadAddress, listeners)
    // From like-stats.client.ts: the dogs stay in their order.
    window.addEventListener('perrario:stats', ({ detail }: CustomEventInit<DogStats>) => setStats(detail!), listeners)
    return () => listeners.abort()
  }, [load])

  useListPosition(query, dogs, nextCursor, (position) => {
    setDogs(position.dogs)
    setNextCursor(position.nextCursor)
  })

  const retry = () => void load(query)
  const { breeds, liked } = rendered
  const shown = {
    query,
    dogs,
    stats,
    state,
    error,
    nextCursor,
    isReordered,
    isLoadingMore,
    added,
    breeds,
    breedOptions,
    liked,
  }
  return { ...shown, go, loadMore, retry }
}

/** Stores the list's scroll position when the page is left, and restores it on return. */
function useListPosition(
  query: ListQuery,
  dogs: CardDog[],
  nextCursor: string | null,
  restore: (position: { dogs: CardDog[]; nextCursor: string | null }) => void,
) {
  const address = formatListQuery({ ...query, view: 'grid' })
  const latest = useRef({ address, dogs, nextCursor, restore })
  useEffect(() => {
    latest.current = { address, dogs, nextCursor, restore }
  })
  useEffect(() => {
    const position = readListPosition(latest.current.address)
    if (position && position.y > 0) {
      // The browser restores the scroll position too, but not below the end of the list that the server rendered: to a few
      // pixels it then stands there.
      const isClamped = scrollY + innerHeight > document.documentElement.scrollHeight - 9
      if (position.dogs.length > latest.current.dogs.length) latest.current.restore(position)
      // After the longer list is laid out, unless the browser or the person has scrolled.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => (scrollY === 0 || isClamped) && scrollTo({ top: position.y, behavior: 'instant' })),
      )
    }
    const savePosition = () => {
      const { restore: _, ...position } = latest.current
      saveListPosition({ ...position, y: scrollY })
    }
    window.addEventListener('pagehide', savePosition)
    return () => window.removeEventListener('pagehide', savePosition)
  }, [])
}
