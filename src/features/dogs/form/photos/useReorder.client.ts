import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { startPointerDrag } from './pointer-drag.client.ts'
import { keyTarget, placeAt, REORDER_TEXTS } from './reorder.ts'
import { boxOf, itemsOf, useMoveAnimation } from './useMoveAnimation.client.ts'

// No library: the items have two sizes (the cover is big), and the list scrolls under the pointer, so a library's
// transforms would have to be undone.

export interface Ghost {
  id: string
  x: number
  y: number
}

interface Options {
  list: RefObject<HTMLUListElement | null>
  ids: readonly string[]
  move: (id: string, to: number) => void
  /** Announces to screen readers. */
  announce: (text: string) => void
}

/** How far the mouse moves before a press on the photo itself becomes a drag. */
const DRAG_THRESHOLD_PX = 6

/**
 * Reorders photos by pointer, touch and keyboard. `handle(id)` goes on the handle of each photo, `drag(id)` on the photo
 * itself (mouse only: a finger there scrolls the form).
 */
export function useReorder(options: Options) {
  const { ghost, startDrag } = useDrag(options)
  const { lifted, drop, onKeyDown } = useKeyboardMove(options)
  useMoveAnimation(options.list, options.ids)
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

/** Moves the dragged photo to the item under the pointer; `ghost` follows the pointer. */
function useDrag({ list, ids, move, announce }: Options) {
  const [ghost, setGhost] = useState<Ghost | null>(null)
  const latest = useRef({ ids, move, announce })
  useLayoutEffect(() => {
    latest.current = { ids, move, announce }
  })
  const cancelDrag = useRef<() => void>(undefined)
  useEffect(() => () => cancelDrag.current?.(), [])

  function startDrag(id: string, event: PointerEvent, thresholdPx: number) {
    const element = list.current
    if (event.button !== 0 || !element) return
    const from = latest.current.ids.indexOf(id)
    cancelDrag.current?.()
    cancelDrag.current = startPointerDrag(element, event, thresholdPx, {
      onMove(x, y) {
        setGhost({ id, x, y })
        const origin = element.getBoundingClientRect()
        const to = placeAt(x - origin.left, y - origin.top, itemsOf(element).map(boxOf))
        if (to >= 0 && latest.current.ids[to] !== id) latest.current.move(id, to)
      },
      onEnd(isDropped) {
        setGhost(null)
        const { ids, move, announce } = latest.current
        if (!isDropped) move(id, from)
        announce(isDropped ? REORDER_TEXTS.dropped(ids.indexOf(id) + 1, ids.length) : REORDER_TEXTS.cancelled(from + 1))
      },
    })
  }
  return { ghost, startDrag }
}

/** Space lifts and drops a photo, arrows move it, Escape puts it back. */
function useKeyboardMove({ ids, move, announce }: Options) {
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
