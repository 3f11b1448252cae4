import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { wrapIndex } from '#lib/numbers.ts'
import styles from './photo-stack.css?url'

// Photos under a mouse, on a card and on a dog's page: dragging turns them, on a card arrows too. Touch needs no script, since the strip scrolls.

void loadStylesheet(styles)

/** A press that moves less than this is a click. */
const CLICK_SLOP_PX = 5
/** A drag over more than this share of the photo's width turns to the next one. */
const TURN_SHARE = 0.2

const STRIPS = '.dog-card .strip, .big .strip'
const stripOf = (event: Event): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>(STRIPS) : null

/** Scrolls a strip to one of its photos; wraps around. */
function turnTo(strip: HTMLElement, index: number): void {
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  const left = wrapIndex(0, index, strip.children.length) * strip.clientWidth
  strip.scrollTo({ left, behavior: prefersReducedMotion ? 'instant' : 'smooth' })
}

const indexOf = (strip: HTMLElement): number => Math.round(strip.scrollLeft / strip.clientWidth)

let drag: { strip: HTMLElement; startX: number; startLeft: number; hasMoved: boolean } | undefined
/** The click after a drag must not open the dog. */
let shouldSuppressClick = false

document.addEventListener('pointerdown', (event) => {
  const strip = stripOf(event)
  shouldSuppressClick = false
  if (!strip || event.pointerType !== 'mouse' || event.button !== 0) return
  drag = { strip, startX: event.clientX, startLeft: strip.scrollLeft, hasMoved: false }
})

document.addEventListener('pointermove', ({ clientX }) => {
  if (!drag) return
  const distance = clientX - drag.startX
  if (!drag.hasMoved && Math.abs(distance) < CLICK_SLOP_PX) return
  drag.hasMoved = true
  drag.strip.dataset.dragging = ''
  drag.strip.scrollLeft = drag.startLeft - distance
})

function endDrag({ clientX, type }: PointerEvent): void {
  if (!drag) return
  const { strip, startX, startLeft, hasMoved } = drag
  drag = undefined
  if (!hasMoved) return
  shouldSuppressClick = type === 'pointerup'
  const distance = startX - clientX
  const from = Math.round(startLeft / strip.clientWidth)
  const step = Math.abs(distance) > strip.clientWidth * TURN_SHARE ? Math.sign(distance) : 0
  const to = Math.max(0, Math.min(strip.children.length - 1, from + step))
  turnTo(strip, to)
  // Scroll snapping returns at the photo's edge: earlier the strip would jump.
  const enableSnapping = () => delete strip.dataset.dragging
  if (Math.abs(strip.scrollLeft - to * strip.clientWidth) < 1) enableSnapping()
  else strip.addEventListener('scrollend', enableSnapping, { once: true })
}
document.addEventListener('pointerup', endDrag)
document.addEventListener('pointercancel', endDrag)

// The browser would drag the link itself, which ends the drag of the strip.
document.addEventListener('dragstart', (event) => stripOf(event) && event.preventDefault())

document.addEventListener(
  'click',
  (event) => {
    if (shouldSuppressClick) {
      shouldSuppressClick = false
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
