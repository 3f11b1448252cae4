import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { observeSize } from './observe-size.client.ts'
import {
  clampHeight,
  heightBesideMap,
  heightByKey,
  heightRange,
  parseHeight,
  SCREEN_MIN_PX,
  STRIP_MAX,
  toggledHeight,
} from './strip-height.ts'

const HEIGHT_KEY = 'perrario:map-strip'

/** Reads, and with `height` writes, the session's height; works without storage. */
const storedHeight = (height?: number): number | null => {
  try {
    if (height !== undefined) sessionStorage.setItem(HEIGHT_KEY, String(height))
    return parseHeight(sessionStorage.getItem(HEIGHT_KEY))
  } catch {
    return height ?? null
  }
}

/**
 * The strip's height: dragged by its handle, changed by keys or the chevron, stored for the session, and limited so that the
 * map in the strip's parent stays visible.
 */
export function useHeight(strip: RefObject<HTMLElement | null>, onHeight: (px: number) => void) {
  /** The height that the person chose in this session, before it is limited to the range. */
  const [chosen, setChosen] = useState<number | null>(null)
  const [space, setSpace] = useState({ map: 0, screen: 0, isLandscape: false })
  const [isDragged, setDragged] = useState(false)
  const range = heightRange(space.map, space.screen, space.isLandscape)
  const height = clampHeight(chosen ?? range.rest, range)
  const grip = useRef<{ y: number; height: number } | null>(null)

  useEffect(() => {
    const parent = strip.current?.parentElement
    if (!parent) return
    const measure = () => {
      const { clientHeight: map, parentElement: screen } = parent
      // On a desktop the header above stays in view: all of the screen may be covered.
      const above = matchMedia('(max-width: 768px)').matches ? 0 : SCREEN_MIN_PX
      const isLandscape = matchMedia('(min-width: 500px) and (max-height: 500px)').matches
      flushSync(() => {
        setSpace({ map, screen: isLandscape ? 0 : (screen?.clientHeight ?? 0) + above, isLandscape })
        setChosen((now) => now ?? storedHeight())
      })
    }
    return observeSize(parent, measure)
  }, [strip])

  const changeHeight = useEffectEvent(onHeight)
  // A map without height would show no dogs, and the strip would list none.
  const besideMap = space.map > 0 ? heightBesideMap(space.map) : STRIP_MAX
  // A layout effect: the map gets its height in the same frame.
  useLayoutEffect(() => {
    changeHeight(Math.min(height, besideMap))
  }, [height, besideMap])

  const choose = useCallback((px: number) => {
    setChosen(px)
    storedHeight(px)
  }, [])

  // Keyboard focus on the filters uncovers them.
  const isOver = height > besideMap
  useEffect(() => {
    const screen = strip.current?.parentElement?.parentElement
    if (!isOver || !screen) return
    const uncover = ({ target }: FocusEvent) => {
      const isCovered =
        target instanceof Element && !strip.current?.contains(target) && target.matches(':focus-visible')
      if (isCovered) choose(besideMap)
    }
    screen.addEventListener('focusin', uncover)
    return () => screen.removeEventListener('focusin', uncover)
  }, [strip, isOver, besideMap, choose])

  const release = () => {
    if (!grip.current) return
    grip.current = null
    setDragged(false)
    storedHeight(height)
  }
  const handle = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return
      event.currentTarget.setPointerCapture(event.pointerId)
      grip.current = { y: event.clientY, height }
      setDragged(true)
    },
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      // A drag selects no text around the strip. In WebKit `user-select: none` on the grip would not prevent it.
      event.preventDefault()
      event.currentTarget.focus({ preventScroll: true })
    },
    onPointerMove: (event: PointerEvent) => {
      const { current } = grip
      if (!current || !event.isPrimary) return
      flushSync(() => setChosen(clampHeight(current.height + current.y - event.clientY, range)))
    },
    onPointerUp: release,
    onPointerCancel: release,
    onLostPointerCapture: release,
    onKeyDown: (event: KeyboardEvent) => {
      const newHeight = heightByKey(event.key, height, range)
      if (newHeight === null) return
      event.preventDefault()
      choose(newHeight)
    },
  }
  return { height, range, isDragged, handle, toggle: () => choose(toggledHeight(height, range)) }
}
