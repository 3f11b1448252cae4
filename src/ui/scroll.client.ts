// `[data-scroll]`: a scroll area whose bar shows while it moves or the pointer is over it, and hides 600 ms later
// (docs/product.md §25.2). Styles in ui/float.css.

export const SCROLL_HIDE_DELAY = 600

const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>()

function show(area: HTMLElement, hideAfter: boolean) {
  area.dataset.scroll = 'on'
  clearTimeout(timers.get(area))
  if (hideAfter)
    timers.set(
      area,
      setTimeout(() => (area.dataset.scroll = ''), SCROLL_HIDE_DELAY),
    )
}

const areaOf = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-scroll]') : null

document.addEventListener(
  'scroll',
  (event) => {
    const area = areaOf(event)
    if (area) show(area, !area.matches(':hover'))
  },
  { capture: true, passive: true },
)
document.addEventListener('pointerover', (event) => {
  const area = event.pointerType === 'mouse' ? areaOf(event) : null
  if (area) show(area, false)
})
document.addEventListener('pointerout', (event) => {
  const area = areaOf(event)
  if (area && !(event.relatedTarget instanceof Node && area.contains(event.relatedTarget))) show(area, true)
})
