import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { clampHeight, heightByKey, heightRange, readHeight, STRIP_COLLAPSED, toggled } from './height.ts'

const KEY = 'perrario:map-strip'

/** A browser that keeps nothing for the session still resizes. */
const kept = (height?: number): number => {
  try {
    if (height !== undefined) sessionStorage.setItem(KEY, String(height))
    return readHeight(sessionStorage.getItem(KEY))
  } catch {
    return height ?? STRIP_COLLAPSED
  }
}

/**
 * The strip's height: dragged by its handle, changed by keys or the chevron, kept for the session, and never more than
 * leaves map to be seen in the strip's parent.
 */
export function useHeight(strip: RefObject<HTMLElement | null>, onHeight: (px: number) => void) {
  /** What the person chose, here or earlier in the session; the room may not allow it now. */
  const [wanted, setWanted] = useState<number | null>(null)
  const [room, setRoom] = useState(0)
  const [isDragged, setDragged] = useState(false)
  const range = heightRange(room)
  const height = clampHeight(wanted ?? STRIP_COLLAPSED, range)
  const grip = useRef<{ y: number; height: number } | null>(null)

  useEffect(() => {
    const parent = strip.current?.parentElement
    if (!parent) return
    const observer = new ResizeObserver(() => {
      setRoom(parent.clientHeight)
      setWanted((now) => now ?? kept())
    })
    observer.observe(parent)
    return () => observer.disconnect()
  }, [strip])

  const tell = useRef(onHeight)
  useEffect(() => {
    tell.current = onHeight
  })
  useEffect(() => {
    tell.current(height)
  }, [height])

  const choose = useCallback((chosen: number) => {
    setWanted(chosen)
    kept(chosen)
  }, [])

  const release = () => {
    if (!grip.current) return
    grip.current = null
    setDragged(false)
    kept(height)
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
  return { height, range, isDragged, handle, toggle: () => choose(toggled(height, range)) }
}
