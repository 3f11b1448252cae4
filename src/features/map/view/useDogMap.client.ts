import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { DogStats } from '#features/dogs/dogs.ts'
import type { ListError } from '#features/dogs/list/list.client.ts'
import type { ListQuery } from '#features/dogs/list/list-query.ts'
import type { Geocode } from '#features/places/places.ts'
import { type Area, type ClusterFeature, PHOTO_ZOOM, type PopupDog } from '../map.ts'
import type { EngineHooks, MapEngine } from './map-engine.client.ts'
import type { Tiles } from './leaflet.client.ts'
import type { SelectedDog } from './marks.client.ts'
import type { MapViewport } from './viewport.ts'
import { saveViewport, recallViewport } from './viewport-storage.client.ts'
import { loadStats } from './stats.client.ts'
import { VIEW_TEXTS } from './texts.ts'
import { useLiveDogs } from './useLiveDogs.client.ts'

export interface MapStart {
  query: ListQuery
  stats: DogStats | null
  place: MapViewport | null
  tiles: Tiles | null
}

/** Duration of the flight to a searched place (docs/product.md §16.3). */
const SEARCH_FLIGHT_SECONDS = 1

const isSame = (a: Area | null, b: Area) => a !== null && a.every((degrees, i) => degrees === b[i])

/** Loads the map's engine, and Leaflet with it, and starts it on the box, once. The hooks of the first call stay. */
function useMapEngine(box: RefObject<HTMLDivElement | null>, start: MapStart, hooks: EngineHooks) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [engine, setEngine] = useState<MapEngine | null>(null)
  const first = useRef({ start, hooks })

  useEffect(() => {
    let isUnmounted = false
    let started: MapEngine | undefined
    const { start, hooks } = first.current
    const startEngine = async () => {
      const engines = await import('./map-engine.client.ts')
      if (isUnmounted) return
      started = new engines.MapEngine(box.current!, start.place ?? recallViewport(), start.tiles, hooks)
      setEngine(started)
      setState('ready')
    }
    startEngine().catch((error) => {
      console.error(error)
      if (!isUnmounted) setState('failed')
    })
    return () => {
      isUnmounted = true
      started?.close()
      setEngine(null)
    }
  }, [box])

  return { state, engine }
}

/** The statistics of the list with the map's filters. @param initial those that came with the page */
function useListStats(initial: DogStats | null, latestQuery: RefObject<ListQuery>) {
  const [stats, setStats] = useState(initial)
  const reloadStats = useCallback(() => void loadStats(latestQuery.current).then(setStats), [latestQuery])

  // From dogs/list/like-stats.client.ts.
  useEffect(() => {
    const takeStats = ({ detail }: CustomEventInit<DogStats>) => setStats(detail!)
    window.addEventListener('perrario:stats', takeStats)
    return () => window.removeEventListener('perrario:stats', takeStats)
  }, [])

  return { stats, reloadStats }
}

/** State and actions of the map island: its view, the loaded counts, the selection, and failures. */
export function useDogMap(box: RefObject<HTMLDivElement | null>, start: MapStart) {
  const [query, setQuery] = useState(start.query)
  const [count, setCount] = useState<{ visible: number; total: number } | null>(null)
  const [lostCount, setLostCount] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(true)
  const [error, setError] = useState<ListError | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const [area, setArea] = useState<Area | null>(null)
  const [list, setList] = useState<ClusterFeature | null>(null)
  const [popup, setPopup] = useState<PopupDog | null>(null)
  const [selected, setSelected] = useState<SelectedDog | null>(null)
  const latestQuery = useRef(query)
  const { stats, reloadStats } = useListStats(start.stats, latestQuery)

  const { state, engine } = useMapEngine(box, start, {
    query: () => latestQuery.current,
    onSettle: (view, isMoved) => {
      setArea((known) => (isSame(known, view) ? known : view))
      // Dragging the strip up to read a list does not close the list.
      if (isMoved) setList(null)
    },
    onLoad: ({ visible, total }) => setCount({ visible, total }),
    onLostCount: setLostCount,
    onBusy: setBusy,
    onError: setError,
    onTileError: () => setNote(VIEW_TEXTS.tiles),
    onSelectDog: (dog) => {
      setSelected({ id: dog.properties.id, center: dog.geometry.coordinates })
      setPopup(dog)
    },
    onSelectLost: (dog) => {
      setSelected(null)
      setPopup(dog)
    },
    onOpenList: (cluster) => {
      setSelected(null)
      setList(cluster)
    },
  })

  // The mark whose dogs are listed is highlighted until one of them is selected.
  useEffect(
    () => engine?.select(selected ?? (list && { id: '', center: list.geometry.coordinates })),
    [engine, selected, list],
  )

  const refresh = useCallback(() => {
    engine?.loader.refresh()
    reloadStats()
  }, [engine, reloadStats])
  useLiveDogs(refresh)

  /** Applies other filters to the same view, or another order to the strip. */
  const filter = (change: Partial<ListQuery>) => {
    const isOrder = Object.keys(change).every((name) => name === 'sort')
    latestQuery.current = { ...latestQuery.current, ...change }
    setQuery(latestQuery.current)
    setPopup(null)
    setSelected(null)
    saveViewport(latestQuery.current, engine?.open.viewport() ?? null)
    // The order concerns the strip only.
    if (isOrder) return
    engine?.settle()
    reloadStats()
  }

  /** Selects a dog of the strip. One that was loaded by its id has no location. */
  const select = ({ id, center }: { id: string; center?: SelectedDog['center'] }) => {
    setSelected({ id, center: center ?? null })
    setPopup((open) => (open?.id === id ? open : null))
  }

  const locate = async () => {
    setNote(null)
    try {
      const location = await import('./locate.client.ts')
      if (engine) setNote(await location.showDevice(engine.open, PHOTO_ZOOM))
    } catch (failure) {
      console.warn(failure)
      setNote(VIEW_TEXTS.unavailable)
    }
  }

  return {
    query,
    stats,
    state,
    count,
    isBusy,
    /** Whether the list of these filters has no dog, and no mark, of a lost dog either, is on the map. Not before all are loaded. */
    isEmpty: count?.total === 0 && stats?.dogs === 0 && lostCount === 0,
    error,
    note,
    popup,
    engine,
    filter,
    select,
    locate,
    /** What the strip lists: the view, or the dogs of a circle that opens as a list. */
    area: list ? list.bbox : area,
    visible: list ? list.properties.point_count : (count?.visible ?? null),
    selected: selected?.id ?? null,
    selectedAt: selected?.center ?? null,
    /** Whether the strip lists the dogs of one mark only, until the map moves or the person closes the list. */
    isList: list !== null,
    closeList: () => {
      setList(null)
      if (list) engine?.marks.focus(list)
    },
    closePopup: useCallback(() => setPopup(null), []),
    closeNote: () => setNote(null),
    retry: () => engine?.loader.retry(),
    zoom: (by: 1 | -1) => engine?.open.zoomBy(by),
    search: ({ center: [lon, lat] }: Geocode) => engine?.open.flyTo(lat, lon, PHOTO_ZOOM, SEARCH_FLIGHT_SECONDS),
  }
}
