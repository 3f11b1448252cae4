// `[data-scroll]`: a scroll area whose bar shows while it moves or the pointer is over it, and hides 600 ms later
// (docs/product.md §25.2). Styles in ui/styles/overlays.css.

export const SCROLL_HIDE_DELAY_MS = 600

const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>()

function showScrollbar(area: HTMLElement, hideAfter: boolean) {
  area.dataset.scroll = 'on'
  clearTimeout(timers.get(area))
  if (hideAfter)
    timers.set(
      area,
      setTimeout(() => (area.dataset.scroll = ''), SCROLL_HIDE_DELAY_MS),
    )
}

const findScrollArea = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-scroll]') : null

document.addEventListener(
  'scroll',
  (event) => {
    const area = findScrollArea(event)
    if (area) showScrollbar(area, !area.matches(':hover'))
  },
  { capture: true, passive: true },
)
document.addEventListener('pointerover', (event) => {
  const area = event.pointerType === 'mouse' ? findScrollArea(event) : null
  if (area) showScrollbar(area, false)
})
document.addEventListener('pointerout', (event) => {
  const area = findScrollArea(event)
  if (area && !(event.relatedTarget instanceof Node && area.contains(event.relatedTarget))) showScrollbar(area, true)
})
