import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { DogStats } from '#features/dogs/dogs.ts'
import type { ListError } from '#features/dogs/list/list.client.ts'
import type { ListQuery } from '#features/dogs/list/list-query.ts'
import type { Geocode } from '#features/places/places.ts'
import { type Area, type ClusterFeature, type DogFeature, PHOTO_ZOOM } from '../map.ts'
import { MapEngine } from './map-engine.client.ts'
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

/** Seconds that a searched place is eased to (docs/product.md §16.3). */
const SEARCH_EASE = 1

const isSame = (a: Area | null, b: Area) => a !== null && a.every((degrees, i) => degrees === b[i])

/** The map behind the island: what it looks at, what was answered, what is chosen, what went wrong. */
export function useDogMap(box: RefObject<HTMLDivElement | null>, start: MapStart) {
  const [query, setQuery] = useState(start.query)
  const [stats, setStats] = useState(start.stats)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [count, setCount] = useState<{ visible: number; total: number } | null>(null)
  const [isBusy, setBusy] = useState(true)
  const [trouble, setTrouble] = useState<ListError | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const [area, setArea] = useState<Area | null>(null)
  const [list, setList] = useState<ClusterFeature | null>(null)
  const [popup, setPopup] = useState<DogFeature | null>(null)
  const [spot, setSpot] = useState<SelectedDog | null>(null)
  const [engine, setEngine] = useState<MapEngine | null>(null)
  const latest = useRef(query)
  const first = useRef(start)

  useEffect(() => {
    let isGone = false
    let made: MapEngine | undefined
    const { place, tiles } = first.current
    const begin = async () => {
      made = await MapEngine.start(box.current!, place ?? recallViewport(), tiles, {
        query: () => latest.current,
        settled: (view, isMoved) => {
          setArea((known) => (isSame(known, view) ? known : view))
          // A strip that is drawn up to read a list leaves the list be.
          if (isMoved) setList(null)
        },
        answer: ({ visible, total }) => setCount({ visible, total }),
        busy: setBusy,
        trouble: setTrouble,
        tilesTrouble: () => setNote(VIEW_TEXTS.tiles),
        dog: (dog) => {
          setSpot({ id: dog.properties.id, center: dog.geometry.coordinates })
          setPopup(dog)
        },
        list: (cluster) => {
          setSpot(null)
          setList(cluster)
        },
      })
      if (isGone) return made.close()
      setEngine(made)
      setState('ready')
    }
    begin().catch((error) => {
      console.error(error)
      if (!isGone) setState('failed')
    })
    return () => {
      isGone = true
      made?.close()
      setEngine(null)
    }
  }, [box])

  // The mark whose dogs are listed alone is ringed until one of them is chosen.
  useEffect(() => engine?.select(spot ?? (list && { id: '', center: list.geometry.coordinates })), [engine, spot, list])

  const refresh = useCallback(() => {
    engine?.loader.refresh()
    void loadStats(latest.current).then(setStats)
  }, [engine])
  useLiveDogs(refresh)

  /** Another filter: the same view of other dogs. Another order: the same dogs in the strip. */
  const filter = (change: Partial<ListQuery>) => {
    const isOrder = Object.keys(change).every((name) => name === 'sort')
    latest.current = { ...latest.current, ...change }
    setQuery(latest.current)
    setPopup(null)
    setSpot(null)
    saveViewport(latest.current, engine?.open.place() ?? null)
    // Another order is the strip's alone.
    if (isOrder) return
    engine?.settle()
    void loadStats(latest.current).then(setStats)
  }

  /** A dog chosen in the strip. Where one stands that came by its id alone, only its mark may know. */
  const select = ({ id, center }: { id: string; center?: SelectedDog['center'] }) => {
    setSpot({ id, center: center ?? null })
    setPopup((open) => (open?.properties.id === id ? open : null))
  }

  const locate = async () => {
    setNote(null)
    try {
      const { showDevice } = await import('./locate.client.ts')
      if (engine) setNote(await showDevice(engine.open, PHOTO_ZOOM))
    } catch (error) {
      console.warn(error)
      setNote(VIEW_TEXTS.unavailable)
    }
  }

  return {
    query,
    stats,
    state,
    count,
    isBusy,
    trouble,
    note,
    popup,
    engine,
    filter,
    select,
    locate,
    /** What the strip lists: the view, or the dogs of a circle that opens as a list. */
    area: list ? list.bbox : area,
    visible: list ? list.properties.point_count : (count?.visible ?? null),
    selected: spot?.id ?? null,
    selectedAt: spot?.center ?? null,
    /** The dogs of one place are listed alone, until the map moves or the person wants all of the view's again. */
    isList: list !== null,
    closeList: () => {
      setList(null)
      if (list) engine?.marks.focus(list)
    },
    closePopup: useCallback(() => setPopup(null), []),
    closeNote: () => setNote(null),
    retry: () => engine?.loader.retry(),
    zoom: (by: 1 | -1) => engine?.open.zoomBy(by),
    search: ({ center: [lon, lat] }: Geocode) => engine?.open.go(lat, lon, PHOTO_ZOOM, SEARCH_EASE),
  }
}
