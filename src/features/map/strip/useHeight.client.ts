import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import {
  clampHeight,
  heightBesideMap,
  heightByKey,
  heightRange,
  parseHeight,
  STRIP_MAX,
  toggledHeight,
} from './strip-height.ts'

const HEIGHT_KEY = 'perrario:map-strip'

/** A browser that keeps nothing for the session still resizes. */
const storedHeight = (height?: number): number | null => {
  try {
    if (height !== undefined) sessionStorage.setItem(HEIGHT_KEY, String(height))
    return parseHeight(sessionStorage.getItem(HEIGHT_KEY))
  } catch {
    return height ?? null
  }
}

/**
 * The strip's height: dragged by its handle, changed by keys or the chevron, kept for the session, and never more than
 * leaves map to be seen in the strip's parent.
 */
export function useHeight(strip: RefObject<HTMLElement | null>, onHeight: (px: number) => void) {
  /** What the person chose, here or earlier in the session; the room may not allow it now. */
  const [wanted, setWanted] = useState<number | null>(null)
  const [room, setRoom] = useState({ map: 0, screen: 0 })
  const [isDragged, setDragged] = useState(false)
  const range = heightRange(room.map, room.screen)
  const height = clampHeight(wanted ?? range.rest, range)
  const grip = useRef<{ y: number; height: number } | null>(null)

  useEffect(() => {
    const parent = strip.current?.parentElement
    if (!parent) return
    const observer = new ResizeObserver(() => {
      const { clientHeight: map, parentElement: screen } = parent
      const isUpright = matchMedia('(max-width: 768px) and (orientation: portrait)').matches
      setRoom({ map, screen: isUpright ? (screen?.clientHeight ?? 0) : 0 })
      setWanted((now) => now ?? storedHeight())
    })
    observer.observe(parent)
    return () => observer.disconnect()
  }, [strip])

  const tell = useRef(onHeight)
  useEffect(() => {
    tell.current = onHeight
  })
  // A map of no height at all would show nobody, and so the strip would list nobody.
  const besideMap = room.map > 0 ? heightBesideMap(room.map) : STRIP_MAX
  useEffect(() => {
    tell.current(Math.min(height, besideMap))
  }, [height, besideMap])

  const choose = useCallback((chosen: number) => {
    setWanted(chosen)
    storedHeight(chosen)
  }, [])

  // Who comes to the filters by key finds them in sight.
  const isOver = height > besideMap
  useEffect(() => {
    const screen = strip.current?.parentElement?.parentElement
    if (!isOver || !screen) return
    const makeRoom = ({ target }: FocusEvent) => {
      const isCovered =
        target instanceof Element && !strip.current?.contains(target) && target.matches(':focus-visible')
      if (isCovered) choose(besideMap)
    }
    screen.addEventListener('focusin', makeRoom)
    return () => screen.removeEventListener('focusin', makeRoom)
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
    onPointerMove: (event: PointerEvent) => {
      const { current } = grip
      if (current && event.isPrimary) setWanted(clampHeight(current.height + current.y - event.clientY, range))
    },
    onPointerUp: release,
    onPointerCancel: release,
    onLostPointerCapture: release,
    onKeyDown: (event: KeyboardEvent) => {
      const by = heightByKey(event.key, height, range)
      if (by === null) return
      event.preventDefault()
      choose(by)
    },
  }
  return { height, range, isDragged, handle, toggle: () => choose(toggledHeight(height, range)) }
}
