import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { wrapIndex } from '#features/dogs/page/gallery.ts'
import styles from './photo-stack.css?url'

// A card's stack of photos under a mouse: its arrows turn it, and dragging moves it as a finger would. Fingers need nothing
// of this: the strip scrolls by itself.

void loadStylesheet(styles)

/** A press that moves less than this is a click, CSS px. */
const CLICK_SLOP_PX = 5
/** A drag over this share of the photo turns to the next one. */
const TURN_SHARE = 0.2

const stripOf = (event: Event): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('.dog-card .strip') : null

/** Turns a strip to one of its photos, past the last to the first. */
function turnTo(strip: HTMLElement, index: number): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const left = wrapIndex(0, index, strip.children.length) * strip.clientWidth
  strip.scrollTo({ left, behavior: isCalm ? 'instant' : 'smooth' })
}

const indexOf = (strip: HTMLElement): number => Math.round(strip.scrollLeft / strip.clientWidth)

let drag: { strip: HTMLElement; x: number; left: number; moved: boolean } | undefined
/** The click that ends a drag opens nothing. */
let swallowsClick = false

document.addEventListener('pointerdown', (event) => {
  const strip = stripOf(event)
  swallowsClick = false
  if (!strip || event.pointerType !== 'mouse' || event.button !== 0) return
  drag = { strip, x: event.clientX, left: strip.scrollLeft, moved: false }
})

document.addEventListener('pointermove', ({ clientX }) => {
  if (!drag) return
  const way = clientX - drag.x
  if (!drag.moved && Math.abs(way) < CLICK_SLOP_PX) return
  drag.moved = true
  drag.strip.dataset.dragging = ''
  drag.strip.scrollLeft = drag.left - way
})

function endDrag({ clientX, type }: PointerEvent): void {
  if (!drag) return
  const { strip, x, left, moved } = drag
  drag = undefined
  if (!moved) return
  swallowsClick = type === 'pointerup'
  const way = x - clientX
  const from = Math.round(left / strip.clientWidth)
  const step = Math.abs(way) > strip.clientWidth * TURN_SHARE ? Math.sign(way) : 0
  const to = Math.max(0, Math.min(strip.children.length - 1, from + step))
  turnTo(strip, to)
  // Snapping comes back at the photo's edge: earlier it would jump there.
  const snap = () => delete strip.dataset.dragging
  if (Math.abs(strip.scrollLeft - to * strip.clientWidth) < 1) snap()
  else strip.addEventListener('scrollend', snap, { once: true })
}
document.addEventListener('pointerup', endDrag)
document.addEventListener('pointercancel', endDrag)

// A link is dragged away by itself, which would end the drag of the strip.
document.addEventListener('dragstart', (event) => stripOf(event) && event.preventDefault())

document.addEventListener(
  'click',
  (event) => {
    if (swallowsClick) {
      swallowsClick = false
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const arrow = event.target instanceof Element && event.target.closest<HTMLElement>('[data-turn]')
    const strip = arrow && arrow.parentElement!.querySelector<HTMLElement>('.strip')
    if (strip) turnTo(strip, indexOf(strip) + Number(arrow.dataset.turn))
  },
  true,
)
