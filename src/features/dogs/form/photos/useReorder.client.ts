import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { keyTarget, placeAt, REORDER_TEXTS } from './reorder.ts'

// Written here rather than taken from a library: places of two sizes (the cover is big), and the list itself moves
// under the finger, so a library's transforms would have to be undone. What is left is small.

export interface Ghost {
  id: string
  x: number
  y: number
}

interface Options {
  list: RefObject<HTMLUListElement | null>
  ids: readonly string[]
  move: (id: string, to: number) => void
  /** Told to screen readers. */
  announce: (text: string) => void
}

/** How far the pointer travels before a press on the photo itself becomes a drag, CSS pixels. */
const DRAG_THRESHOLD_PX = 6
/** How near the edge of the scrolling box the list starts to scroll, and by how much per frame. */
const SCROLL_EDGE_PX = 56
const SCROLL_STEP_PX = 9

/**
 * Moving photos by pointer, touch and keyboard. `handle(id)` goes on the handle of each photo, `drag(id)` on the photo
 * itself (mouse only: a finger there scrolls the form).
 */
export function useReorder({ list, ids, move, announce }: Options) {
  const [ghost, setGhost] = useState<Ghost | null>(null)
  const [lifted, setLifted] = useState<{ id: string; from: number } | null>(null)
  const latest = useRef({ ids, move, announce })
  useLayoutEffect(() => {
    latest.current = { ids, move, announce }
  })
  const stopDrag = useRef<() => void>(undefined)
  useEffect(() => () => stopDrag.current?.(), [])
  useMoveAnimation(list, ids)

  function startDrag(id: string, event: PointerEvent, slop: number) {
    if (event.button !== 0 || !list.current) return
    const place = list.current
    const { pointerId, clientX: startX, clientY: startY } = event
    const from = latest.current.ids.indexOf(id)
    let x = startX
    let y = startY
    let frame = 0
    let isDragging = slop === 0

    const follow = () => {
      setGhost({ id, x, y })
      const origin = place.getBoundingClientRect()
      const to = placeAt(x - origin.left, y - origin.top, itemsOf(place).map(boxOf))
      if (to >= 0 && latest.current.ids[to] !== id) latest.current.move(id, to)
    }
    const scroll = () => {
      const box = place.closest('[data-scroll]')
      if (box && isDragging) {
        const { top, bottom } = box.getBoundingClientRect()
        const by = y < top + SCROLL_EDGE_PX ? -SCROLL_STEP_PX : y > bottom - SCROLL_EDGE_PX ? SCROLL_STEP_PX : 0
        if (by) {
          box.scrollBy(0, by)
          follow()
        }
      }
      frame = requestAnimationFrame(scroll)
    }
    const onMove = (moved: globalThis.PointerEvent) => {
      if (moved.pointerId !== pointerId) return
      x = moved.clientX
      y = moved.clientY
      if (!isDragging && Math.hypot(x - startX, y - startY) < slop) return
      if (!isDragging) begin()
      moved.preventDefault()
      follow()
    }
    const begin = () => {
      isDragging = true
      // The list keeps the pointer: the photo's own element is taken out and put back while it moves.
      place.setPointerCapture(pointerId)
    }
    const end = (keep: boolean) => {
      stopDrag.current = undefined
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
      window.removeEventListener('pointercancel', onCancel)
      window.removeEventListener('keydown', onKey, true)
      setGhost(null)
      if (!isDragging) return
      const { ids, move, announce } = latest.current
      if (!keep) move(id, from)
      announce(keep ? REORDER_TEXTS.dropped(ids.indexOf(id) + 1, ids.length) : REORDER_TEXTS.cancelled(from + 1))
      // The click that ends a drag must not open the photo.
      place.addEventListener('click', suppressEvent, { capture: true, once: true })
      setTimeout(() => place.removeEventListener('click', suppressEvent, { capture: true }))
    }
    const onUp = (up: globalThis.PointerEvent) => up.pointerId === pointerId && end(true)
    const onCancel = (cancelled: globalThis.PointerEvent) => cancelled.pointerId === pointerId && end(false)
    const onKey = (pressed: globalThis.KeyboardEvent) => {
      if (pressed.key !== 'Escape' || !isDragging) return
      suppressEvent(pressed)
      end(false)
    }

    stopDrag.current?.()
    stopDrag.current = () => end(false)
    window.addEventListener('pointermove', onMove, { passive: false })
    window.addEventListener('pointerup', onUp)
    window.addEventListener('pointercancel', onCancel)
    window.addEventListener('keydown', onKey, true)
    frame = requestAnimationFrame(scroll)
    if (isDragging) begin()
  }

  function onKeyDown(id: string, event: KeyboardEvent) {
    const at = ids.indexOf(id)
    const { key } = event
    if (key === ' ' || key === 'Enter') {
      event.preventDefault()
      setLifted(lifted ? null : { id, from: at })
      announce((lifted ? REORDER_TEXTS.dropped : REORDER_TEXTS.lifted)(at + 1, ids.length))
      return
    }
    if (lifted?.id !== id) return
    const to = keyTarget(key, at, ids.length)
    if (key === 'Escape') {
      // Only the move is given up, not the dialog.
      event.preventDefault()
      event.stopPropagation()
      move(id, lifted.from)
      setLifted(null)
      announce(REORDER_TEXTS.cancelled(lifted.from + 1))
    } else if (to !== null) {
      event.preventDefault()
      move(id, to)
      announce(REORDER_TEXTS.over(to + 1, ids.length))
    }
  }

  return {
    ghost,
    liftedId: lifted?.id ?? null,
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent) => startDrag(id, event, 0),
      onKeyDown: (event: KeyboardEvent) => onKeyDown(id, event),
      onBlur: () => setLifted(null),
      'aria-pressed': lifted?.id === id,
    }),
    drag: (id: string) => ({
      onPointerDown: (event: PointerEvent) => event.pointerType === 'mouse' && startDrag(id, event, DRAG_THRESHOLD_PX),
    }),
  }
}

function suppressEvent(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-photo]')]

/** An item's place in its list, whatever animation is moving it at the moment (the list is its offset parent). */
const boxOf = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }: HTMLElement) => ({
  left: offsetLeft,
  top: offsetTop,
  right: offsetLeft + offsetWidth,
  bottom: offsetTop + offsetHeight,
})

/** Lets photos glide to their new places instead of jumping there. */
function useMoveAnimation(list: RefObject<HTMLUListElement | null>, ids: readonly string[]) {
  const before = useRef(new Map<string, ReturnType<typeof boxOf>>())
  const order = ids.join()
  useLayoutEffect(() => {
    if (!list.current) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const now = new Map<string, ReturnType<typeof boxOf>>()
    for (const item of itemsOf(list.current)) {
      const id = item.dataset.photo!
      const place = boxOf(item)
      const was = before.current.get(id)
      now.set(id, place)
      if (!was || isStill || (was.left === place.left && was.top === place.top)) continue
      const from = `translate(${was.left - place.left}px, ${was.top - place.top}px)`
      item.animate([{ transform: from }, { transform: 'none' }], { duration: 220, easing: 'cubic-bezier(.2,.7,.2,1)' })
    }
    before.current = now
  }, [list, order])
}
