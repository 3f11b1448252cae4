import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ServerOnly } from '#lib/server-only.ts'
import { toCardDog } from '../card/card-dog.ts'
import type { DogStats } from '../dogs.ts'
import { ListError, loadDogs } from './list.client.ts'
import { readListMarkup } from './list-markup.client.ts'
import { restoreListPosition, saveListPosition } from './list-position.client.ts'
import { formatListQuery, type ListQuery, LOAD_FAILED, parseListQuery } from './list-query.ts'
import { type RenderedList, unpackStats } from './rendered-list.ts'

/** The props are part of the page and hold nothing that depends on the viewer. */
export interface IslandProps {
  /** The query string of its filters and sort (list-query.ts). */
  query: string
  /** Packed statistics; null where the server could not read the list. */
  stats: string | null
  isReordered?: boolean
  server: ServerOnly<RenderedList>
}

interface List extends RenderedList {
  query: ListQuery
  stats: DogStats | null
  /** The order has changed since the pages before. */
  isReordered: boolean
  /** `more`: the next page is under way. */
  state: 'loaded' | 'loading' | 'more' | 'error'
  /** The text of the last failure. */
  error: string
  /** How many dogs «Ver más» added last, and the id of the first. */
  added?: { count: number; first: string | undefined } | undefined
}

/** The last error's toast: the next load makes it obsolete. */
let errorToast: Promise<() => void> | undefined

/** The state of the list: filters in the address, pages by cursor, the scroll position stored for the session. */
export function useDogList({ query, stats, isReordered = false, server }: IslandProps) {
  const [list, setList] = useState<List>(() => ({
    ...(ServerOnly.read(server) ?? readListMarkup()),
    query: parseListQuery(new URLSearchParams(query)),
    stats: stats === null ? null : unpackStats(stats),
    isReordered,
    state: stats === null ? 'error' : 'loaded',
    error: LOAD_FAILED,
  }))
  const change = (part: Partial<List>) => setList((before) => ({ ...before, ...part }))
  const request = useRef<AbortController>(null)

  /** Loads the list of `query`, or its page at `cursor`, instead of what is under way. */
  const load = async (query: ListQuery, cursor?: string) => {
    if (cursor && list.state !== 'loaded') return
    request.current?.abort()
    const { signal } = (request.current = new AbortController())
    void errorToast?.then((dismiss) => dismiss())
    change(cursor ? { state: 'more' } : { query, state: 'loading', nextCursor: null, isReordered: false })
    const shown = cursor ? list.dogs : []
    try {
      const { nextCursor, stats, reordered, ...page } = await loadDogs(query, cursor, signal)
      // A dog added meanwhile shifts the pages: the next one may repeat a dog.
      const fresh = page.dogs.map(toCardDog).filter(({ id }) => !shown.some((dog) => dog.id === id))
      const added = cursor ? { count: fresh.length, first: fresh[0]?.id } : undefined
      const reorder = reordered && { isReordered: true }
      change({ state: 'loaded', dogs: [...shown, ...fresh], nextCursor, stats, added, ...reorder })
    } catch (error) {
      if (signal.aborted || !(error instanceof ListError)) return
      change(cursor ? { state: 'loaded' } : { state: 'error', error: error.message, dogs: [], stats: null })
      const { title, text } = error
      errorToast = import('#ui/toast/toast.client.ts').then((toasts) =>
        toasts.toast({ title, text, kind: 'error', style: 'dialog' }),
      )
    }
  }

  // Moves the focus to the first added dog: «Ver más» may be gone, and the dogs are above it.
  useEffect(() => {
    const focused = document.activeElement
    if (!list.added?.first || !(focused?.matches('.btn.more') || focused === document.body)) return
    document.querySelector<HTMLElement>(`[data-dog="${list.added.first}"] h3 a`)?.focus({ preventScroll: true })
  }, [list.added])

  const reload = useEffectEvent(() => void load(list.query))
  const loadAddress = useEffectEvent(() => {
    const next = parseListQuery(new URLSearchParams(location.search))
    // A link within the page is an entry of the history, too.
    if (formatListQuery(next) !== formatListQuery(list.query)) void load(next)
  })
  const save = useEffectEvent(() => list.state !== 'loading' && saveListPosition(list))
  const restore = useEffectEvent(() => restoreListPosition(list.dogs.length, change))
  useEffect(() => {
    restore()
    const listeners = new AbortController()
    window.addEventListener('popstate', loadAddress, listeners)
    window.addEventListener('perrario:dog-saved', reload, listeners)
    window.addEventListener('pagehide', save, listeners)
    // From like-stats.client.ts: the dogs stay in their order.
    const takeStats = ({ detail }: CustomEventInit<DogStats>) => change({ stats: detail! })
    window.addEventListener('perrario:stats', takeStats, listeners)
    return () => listeners.abort()
  }, [])

  /** Changes filter or sort: pushes the new address and loads its list. */
  const go = (part: Partial<ListQuery>) => {
    const next = { ...list.query, ...part }
    history.pushState(null, '', location.pathname + formatListQuery(next))
    void load(next)
  }
  return { ...list, go, load }
}
