import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Sort } from '#features/dogs/dogs.ts'
import type { Area } from '#features/map/map.ts'
import { loadDog, loadAreaDogs } from './area-dogs.client.ts'
import {
  appendPage,
  moveToFront,
  refreshAreaDogs,
  isInside,
  type MapFilters,
  startAreaDogs,
  type Point,
  type AreaDogs,
} from './area-dogs.ts'

/** Moves of the map that follow on each other are one question. */
const LOAD_DELAY_MS = 150
/** The index behind the map takes about a second to know a dog that was saved. */
const INDEX_DELAY_MS = 2500

/** Whether the first page of the area is here. */
export type LoadState = 'loading' | 'loaded' | 'failed'

interface KeyedAreaDogs extends AreaDogs {
  sort: Sort
  /** The area and filters that it belongs to. */
  key: string
}

/**
 * The dogs of an area, page by page. Those of the area before stay until the new ones come; questions of an area that was
 * left are given up. A dog that is selected without being loaded yet comes first.
 * @param visible how many dogs the map counts in the area; another number than ours means that some came or went
 */
export function useAreaDogs(
  area: Area | null,
  filters: MapFilters,
  selected: string | null,
  selectedAt: Point | null,
  visible: number | null,
) {
  const [zone, setZone] = useState<KeyedAreaDogs | null>(null)
  const [state, setState] = useState<LoadState>('loading')
  const [problem, setProblem] = useState<string | null>(null)
  const [moreProblem, setMoreProblem] = useState<string | null>(null)
  const asking = useRef<AbortController | null>(null)
  const askingMore = useRef(false)
  const key = area && [...area, filters.breed, filters.size, filters.sort].join()
  const latest = useRef({ area, filters, selected, zone, key })
  useLayoutEffect(() => {
    latest.current = { area, filters, selected, zone, key }
  })

  const load = useCallback(async () => {
    const { area, filters, key } = latest.current
    if (!area || !key) return
    asking.current?.abort()
    askingMore.current = false
    const { signal } = (asking.current = new AbortController())
    setState('loading')
    try {
      const page = await loadAreaDogs(area, filters, undefined, signal)
      const { selected } = latest.current
      const { sort } = filters
      setZone((before) =>
        before?.key === key
          ? { ...refreshAreaDogs(before, page, sort), key, sort }
          : {
              ...startAreaDogs(
                page,
                area,
                before?.dogs.find(({ id }) => id === selected),
              ),
              key,
              sort,
            },
      )
      setMoreProblem(null)
      setState('loaded')
    } catch (error) {
      if (signal.aborted) return
      // Who only looked again still has what there was.
      if (latest.current.zone?.key === key) return setState('loaded')
      setProblem((error as Error).message)
      setState('failed')
    }
  }, [])

  useEffect(() => {
    if (!key) return
    const timer = setTimeout(() => void load(), latest.current.zone ? LOAD_DELAY_MS : 0)
    return () => clearTimeout(timer)
  }, [key, load])

  // Once for each number the map names, or two counts that never agree would ask for ever.
  const isStale = visible !== null && zone !== null && zone.key === key && zone.visible !== visible
  const asked = useRef('')
  useEffect(() => {
    const reason = `${key} ${visible}`
    if (!isStale || asked.current === reason) return
    asked.current = reason
    void load()
  }, [isStale, key, visible, load])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const saved = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void load(), INDEX_DELAY_MS)
    }
    window.addEventListener('perrario:dog-saved', saved)
    return () => {
      window.removeEventListener('perrario:dog-saved', saved)
      clearTimeout(timer)
      asking.current?.abort()
    }
  }, [load])

  const loadMore = useCallback(async () => {
    const { area, filters, zone, key } = latest.current
    const signal = asking.current?.signal
    // Only the area whose first page is here has a next one.
    if (!area || !zone?.nextCursor || zone.key !== key || !signal || askingMore.current) return
    askingMore.current = true
    setMoreProblem(null)
    try {
      const page = await loadAreaDogs(area, filters, zone.nextCursor, signal)
      setZone((before) => (before?.key === key ? { ...appendPage(before, page), key, sort: before.sort } : before))
    } catch (error) {
      if (!signal.aborted) setMoreProblem((error as Error).message)
    } finally {
      if (!signal.aborted) askingMore.current = false
    }
  }, [])

  const [lon, lat] = selectedAt ?? []
  const missing =
    selected !== null &&
    lon !== undefined &&
    lat !== undefined &&
    zone?.key === key &&
    isInside([lon, lat], area!) &&
    !zone!.dogs.some(({ id }) => id === selected)
      ? selected
      : null
  useEffect(() => {
    if (missing === null) return
    const fetching = new AbortController()
    loadDog(missing, fetching.signal)
      .then((dog) => {
        const here = { ...dog, center: [lon!, lat!] as const }
        setZone((before) => before && { ...before, dogs: moveToFront(before.dogs, here) })
      })
      // Its marker and popup say what there is to say.
      .catch(() => undefined)
    return () => fetching.abort()
  }, [missing, lon, lat])

  return { zone, state, problem, moreProblem, load, loadMore }
}
