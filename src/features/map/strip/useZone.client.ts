import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Area } from '../map.ts'
import { loadDog, loadZone } from './zone.client.ts'
import { addPage, bringFirst, type MapFilters, newZone, type Zone } from './zone.ts'

/** Moves of the map that follow on each other are one question. */
const PAUSE = 150

/** Whether the first page of the area is here, and what became of the next one. */
export type ZoneState = 'loading' | 'loaded' | 'failed'

/**
 * The dogs of an area, page by page. Those of the area before stay until the new ones come; questions of an area that was
 * left are given up. A dog that is selected without being loaded yet comes first.
 */
export function useZone(area: Area | null, filters: MapFilters, selected: string | null) {
  const [zone, setZone] = useState<Zone | null>(null)
  const [state, setState] = useState<ZoneState>('loading')
  const [problem, setProblem] = useState<string | null>(null)
  const [moreProblem, setMoreProblem] = useState<string | null>(null)
  const asking = useRef<AbortController | null>(null)
  const askingMore = useRef(false)
  const latest = useRef({ area, filters, selected, zone })
  useLayoutEffect(() => {
    latest.current = { area, filters, selected, zone }
  })
  const key = area && [...area, filters.breed, filters.size].join()

  const load = useCallback(async () => {
    const { area, filters } = latest.current
    if (!area) return
    asking.current?.abort()
    askingMore.current = false
    const { signal } = (asking.current = new AbortController())
    setState('loading')
    try {
      const page = await loadZone(area, filters, undefined, signal)
      const { zone, selected } = latest.current
      setZone(
        newZone(
          page,
          area,
          zone?.dogs.find(({ id }) => id === selected),
        ),
      )
      setMoreProblem(null)
      setState('loaded')
    } catch (error) {
      if (signal.aborted) return
      setProblem((error as Error).message)
      setState('failed')
    }
  }, [])

  useEffect(() => {
    if (!key) return
    const timer = setTimeout(() => void load(), latest.current.zone ? PAUSE : 0)
    return () => clearTimeout(timer)
  }, [key, load])

  useEffect(() => {
    const saved = () => void load()
    window.addEventListener('perrario:dog-saved', saved)
    return () => {
      window.removeEventListener('perrario:dog-saved', saved)
      asking.current?.abort()
    }
  }, [load])

  const loadMore = useCallback(async () => {
    const { area, filters, zone } = latest.current
    const signal = asking.current?.signal
    if (!area || !zone?.nextCursor || !signal || askingMore.current) return
    askingMore.current = true
    setMoreProblem(null)
    try {
      const page = await loadZone(area, filters, zone.nextCursor, signal)
      setZone((before) => before && addPage(before, page))
    } catch (error) {
      if (!signal.aborted) setMoreProblem((error as Error).message)
    } finally {
      if (!signal.aborted) askingMore.current = false
    }
  }, [])

  const isMissing = selected !== null && zone !== null && !zone.dogs.some(({ id }) => id === selected)
  useEffect(() => {
    if (!isMissing) return
    const fetching = new AbortController()
    loadDog(selected!, fetching.signal)
      .then((dog) => setZone((before) => before && { ...before, dogs: bringFirst(before.dogs, dog) }))
      // Its marker and popup say what there is to say.
      .catch(() => undefined)
    return () => fetching.abort()
    // Another area does not bring back who was left behind: only who is selected anew.
    // oxlint-disable-next-line exhaustive-deps
  }, [selected])

  return { zone, state, problem, moreProblem, load, loadMore }
}
