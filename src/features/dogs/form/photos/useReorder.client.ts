import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Photo } from './gallery.ts'
import { startPointerDrag } from './pointer-drag.client.ts'
import { type Box, keyTarget, placeAt, REORDER_TEXTS } from './reorder.ts'

// No library: the items have two sizes (the cover is big), and the list scrolls under the pointer, so a library's
// transforms would have to be undone.

type List = RefObject<HTMLUListElement | null>
type Move = (id: string, to: number) => void
/** Announces to screen readers. */
type Announce = (text: string) => void

/** How far the mouse moves before a press on the photo itself becomes a drag. */
const DRAG_THRESHOLD_PX = 6

/**
 * Reorders photos by pointer, touch and keyboard. `handle(id)` goes on the handle of each photo, `drag(id)` on the photo
 * itself (mouse only: a finger there scrolls the form).
 */
export function useReorder(list: List, photos: readonly Photo[], move: Move, announce: Announce) {
  const ids = photos.map(({ id }) => id)
  const { ghost, startDrag } = useDrag(list, move, announce)
  const { lifted, drop, onKeyDown } = useKeyboardMove(ids, move, announce)
  useMoveAnimation(list, ids)
  return {
    ghost,
    liftedId: lifted?.id ?? null,
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent) => startDrag(id, event, 0),
      onKeyDown: (event: KeyboardEvent) => onKeyDown(id, event),
      onBlur: drop,
      'aria-pressed': lifted?.id === id,
    }),
    drag: (id: string) => ({
      onPointerDown: (event: PointerEvent) => event.pointerType === 'mouse' && startDrag(id, event, DRAG_THRESHOLD_PX),
    }),
  }
}
export type Reorder = ReturnType<typeof useReorder>

/** Moves the dragged photo to the item under the pointer; `ghost` follows the pointer, in pixels of the viewport. */
function useDrag(list: List, move: Move, announce: Announce) {
  const [ghost, setGhost] = useState<{ id: string; x: number; y: number } | null>(null)
  const cancelDrag = useRef<() => void>(undefined)
  useEffect(() => () => cancelDrag.current?.(), [])

  function startDrag(id: string, event: PointerEvent, thresholdPx: number) {
    const element = list.current
    if (event.button !== 0 || !element) return
    // The list's order is the photos': React has rendered the last move before the next event of the pointer.
    const indexOf = () => itemsOf(element).findIndex((item) => item.dataset.photo === id)
    const from = indexOf()
    cancelDrag.current?.()
    cancelDrag.current = startPointerDrag(element, event, thresholdPx, {
      onMove(x, y) {
        setGhost({ id, x, y })
        const origin = element.getBoundingClientRect()
        const to = placeAt(x - origin.left, y - origin.top, itemsOf(element).map(boxOf))
        if (to >= 0 && to !== indexOf()) move(id, to)
      },
      onEnd(isDropped) {
        setGhost(null)
        if (!isDropped) move(id, from)
        const { length } = itemsOf(element)
        announce(isDropped ? REORDER_TEXTS.dropped(indexOf() + 1, length) : REORDER_TEXTS.cancelled(from + 1))
      },
    })
  }
  return { ghost, startDrag }
}

/** Space lifts and drops a photo, arrows move it, Escape puts it back. */
function useKeyboardMove(ids: readonly string[], move: Move, announce: Announce) {
  const [lifted, setLifted] = useState<{ id: string; from: number } | null>(null)

  function onKeyDown(id: string, event: KeyboardEvent) {
    const index = ids.indexOf(id)
    const { key } = event
    if (key === ' ' || key === 'Enter') {
      event.preventDefault()
      setLifted(lifted ? null : { id, from: index })
      announce((lifted ? REORDER_TEXTS.dropped : REORDER_TEXTS.lifted)(index + 1, ids.length))
      return
    }
    if (lifted?.id !== id) return
    const to = keyTarget(key, index, ids.length)
    if (key === 'Escape') {
      // Cancels the move without closing the dialog.
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
  return { lifted, drop: () => setLifted(null), onKeyDown }
}

const MOVE_DURATION_MS = 220
const MOVE_EASING = 'cubic-bezier(.2,.7,.2,1)'

/** The photos' elements in their order. */
const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-photo]')]

/** An item's box in its list without the animation's transform (the list is its offset parent). */
const boxOf = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }: HTMLElement): Box => ({
  left: offsetLeft,
  top: offsetTop,
  right: offsetLeft + offsetWidth,
  bottom: offsetTop + offsetHeight,
})

/** Animates photos from their previous positions (FLIP). Reduced motion turns it off. */
function useMoveAnimation(list: List, ids: readonly string[]) {
  const previousBoxes = useRef(new Map<string, Box>())
  const order = ids.join()
  useLayoutEffect(() => {
    if (!list.current) return
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
    const boxes = new Map<string, Box>()
    for (const item of itemsOf(list.current)) {
      const id = item.dataset.photo!
      const box = boxOf(item)
      const previous = previousBoxes.current.get(id)
      boxes.set(id, box)
      if (!previous || prefersReducedMotion || (previous.left === box.left && previous.top === box.top)) continue
      const from = `translate(${previous.left - box.left}px, ${previous.top - box.top}px)`
      item.animate([{ transform: from }, { transform: 'none' }], { duration: MOVE_DURATION_MS, easing: MOVE_EASING })
    }
    previousBoxes.current = boxes
  }, [list, order])
}
