import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Box } from './reorder.ts'

const MOVE_DURATION_MS = 220
const MOVE_EASING = 'cubic-bezier(.2,.7,.2,1)'

/** The photos' elements in their order. */
export const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-photo]')]

/** An item's box in its list without the animation's transform (the list is its offset parent). */
export const boxOf = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }: HTMLElement): Box => ({
  left: offsetLeft,
  top: offsetTop,
  right: offsetLeft + offsetWidth,
  bottom: offsetTop + offsetHeight,
})

/** Animates photos from their previous positions (FLIP). Reduced motion turns it off. */
export function useMoveAnimation(list: RefObject<HTMLUListElement | null>, ids: readonly string[]) {
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
