import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Sort } from '#features/dogs/dogs.ts'
import type { Area } from '#features/map/map.ts'
import { explainError } from '#lib/error-text.ts'
import { loadDog, loadAreaDogs } from './area-dogs.client.ts'
import {
  appendPage,
  moveToFront,
  refreshAreaDogs,
  isSelectedMissing,
  type MapFilters,
  startAreaDogs,
  type Point,
  type AreaDogs,
} from './area-dogs.ts'

/** Successive moves of the map make one request. */
const LOAD_DELAY_MS = 150
/** The map's index takes about a second to include a saved dog. */
const INDEX_DELAY_MS = 2500

/** State of the area's first page. */
export type LoadState = 'loading' | 'loaded' | 'failed'

interface KeyedAreaDogs extends AreaDogs {
  sort: Sort
  /** Area, filters and order that the dogs belong to. */
  key: string
}

/**
 * The dogs of an area, page by page. The previous area's dogs stay until the new ones are loaded; requests of a previous area are
 * aborted. A selected dog that is not loaded yet is put first.
 * @param visible the map's count of dogs in the area: another number than ours means that some were added or removed
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
  const request = useRef<AbortController | null>(null)
  const isLoadingMore = useRef(false)
  const key = area && [...area, filters.breed, filters.size, filters.sort].join()
  const latest = useRef({ area, filters, selected, zone, key })
  useLayoutEffect(() => {
    latest.current = { area, filters, selected, zone, key }
  })

  const load = useCallback(async () => {
    const { area, filters, key } = latest.current
    if (!area || !key) return
    request.current?.abort()
    isLoadingMore.current = false
    const { signal } = (request.current = new AbortController())
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
      // A failed reload keeps the loaded dogs.
      if (latest.current.zone?.key === key) return setState('loaded')
      setProblem(explainError(error))
      setState('failed')
    }
  }, [])

  useEffect(() => {
    if (!key) return
    const timer = setTimeout(() => void load(), latest.current.zone ? LOAD_DELAY_MS : 0)
    return () => clearTimeout(timer)
  }, [key, load])

  // Once per count of the map, or two counts that never agree would reload for ever.
  const isStale = visible !== null && zone !== null && zone.key === key && zone.visible !== visible
  const reloadedFor = useRef('')
  useEffect(() => {
    const reason = `${key} ${visible}`
    if (!isStale || reloadedFor.current === reason) return
    reloadedFor.current = reason
    void load()
  }, [isStale, key, visible, load])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const reloadSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void load(), INDEX_DELAY_MS)
    }
    window.addEventListener('perrario:dog-saved', reloadSoon)
    return () => {
      window.removeEventListener('perrario:dog-saved', reloadSoon)
      clearTimeout(timer)
      request.current?.abort()
    }
  }, [load])

  const loadMore = useCallback(async () => {
    const { area, filters, zone, key } = latest.current
    const signal = request.current?.signal
    // Only an area whose first page is loaded has a next one.
    if (!area || !zone?.nextCursor || zone.key !== key || !signal || isLoadingMore.current) return
    isLoadingMore.current = true
    setMoreProblem(null)
    try {
      const page = await loadAreaDogs(area, filters, zone.nextCursor, signal)
      setZone((before) => (before?.key === key ? { ...appendPage(before, page), key, sort: before.sort } : before))
    } catch (error) {
      if (!signal.aborted) setMoreProblem(explainError(error))
    } finally {
      if (!signal.aborted) isLoadingMore.current = false
    }
  }, [])

  const [lon, lat] = selectedAt ?? []
  const isMissing =
    area !== null && zone !== null && zone.key === key && isSelectedMissing(selected, selectedAt, area, zone.dogs)
  const missing = isMissing ? selected : null
  useEffect(() => {
    if (missing === null) return
    const controller = new AbortController()
    loadDog(missing, controller.signal)
      .then((dog) => {
        const placed = { ...dog, center: [lon!, lat!] as const }
        setZone((before) => before && { ...before, dogs: moveToFront(before.dogs, placed) })
      })
      // Without it the marker and the popup still show the dog.
      .catch(() => undefined)
    return () => controller.abort()
  }, [missing, lon, lat])

  return { zone, state, isOutdated: zone?.key !== key, problem, moreProblem, load, loadMore }
}
