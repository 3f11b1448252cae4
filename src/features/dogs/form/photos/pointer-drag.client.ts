import { scrollStep } from './reorder.ts'

interface DragHandlers {
  /** The pointer moved, or the list scrolled under it. Coordinates are of the viewport, CSS pixels. */
  onMove: (x: number, y: number) => void
  /** The drag ended. `isDropped` is false when Escape, the browser or `cancel` cancelled it. */
  onEnd: (isDropped: boolean) => void
}

/**
 * Follows a pressed pointer until it is released. Scrolls the list's `[data-scroll]` container near its edges.
 * @param thresholdPx how far the pointer moves before the press becomes a drag; below it neither handler is called
 * @returns cancels the drag; does nothing after its end
 */
export function startPointerDrag(
  list: HTMLElement,
  { pointerId, clientX: startX, clientY: startY }: Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY'>,
  thresholdPx: number,
  { onMove, onEnd }: DragHandlers,
): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let x = startX
  let y = startY
  let frame = 0
  let isDragging = false

  const begin = () => {
    isDragging = true
    // The list captures the pointer: React moves the photo's own element in the document during the drag.
    list.setPointerCapture(pointerId)
  }
  const end = (isDropped: boolean) => {
    if (signal.aborted) return
    listeners.abort()
    cancelAnimationFrame(frame)
    if (!isDragging) return
    onEnd(isDropped)
    // The click at the end of a drag must not open the photo.
    list.addEventListener('click', suppressEvent, { capture: true, once: true })
    setTimeout(() => list.removeEventListener('click', suppressEvent, { capture: true }))
  }
  const scroll = () => {
    const container = list.closest('[data-scroll]')
    if (container && isDragging) {
      const { top, bottom } = container.getBoundingClientRect()
      const distance = scrollStep(y, top, bottom)
      if (distance !== 0) {
        container.scrollBy(0, distance)
        onMove(x, y)
      }
    }
    frame = requestAnimationFrame(scroll)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return
    x = event.clientX
    y = event.clientY
    if (!isDragging && Math.hypot(x - startX, y - startY) < thresholdPx) return
    if (!isDragging) begin()
    event.preventDefault()
    onMove(x, y)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging) return
    suppressEvent(event)
    end(false)
  }

  window.addEventListener('pointermove', onPointerMove, { passive: false, signal })
  window.addEventListener('pointerup', (event) => event.pointerId === pointerId && end(true), { signal })
  window.addEventListener('pointercancel', (event) => event.pointerId === pointerId && end(false), { signal })
  window.addEventListener('keydown', onKeyDown, { capture: true, signal })
  frame = requestAnimationFrame(scroll)
  if (thresholdPx === 0) begin()
  return () => end(false)
}

function suppressEvent(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}
