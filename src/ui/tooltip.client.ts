// `data-tooltip="text"` on anything focusable. Opens after 700 ms of pointing, at once on keyboard focus, and at once
// when another one closed less than 300 ms ago (docs/product.md §21.1). `data-tooltip-if` holds a selector that must match.
// It repeats what the control's own name says, so it is hidden from assistive technology. Styles in ui/float.css.

export const TOOLTIP_DELAY = 700
export const TOOLTIP_SKIP_DELAY = 300

const GAP = 8
let tip: HTMLElement | undefined
let owner: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let closedAt = -Infinity

function element(): HTMLElement {
  if (tip) return tip
  tip = document.createElement('div')
  tip.className = 'tooltip'
  tip.popover = 'manual'
  tip.setAttribute('aria-hidden', 'true')
  document.body.append(tip)
  return tip
}

function open(target: HTMLElement) {
  const box = element()
  box.textContent = target.dataset.tooltip ?? ''
  box.showPopover()
  owner = target
  const at = target.getBoundingClientRect()
  const size = box.getBoundingClientRect()
  const below = at.bottom + GAP + size.height <= innerHeight
  const left = Math.max(GAP, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - GAP))
  box.style.left = `${left}px`
  box.style.top = `${below ? at.bottom + GAP : at.top - GAP - size.height}px`
}

function close() {
  clearTimeout(timer)
  if (!owner) return
  owner = undefined
  closedAt = performance.now()
  tip?.hidePopover()
}

function targetOf(event: Event): HTMLElement | null {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null
  const condition = target?.dataset.tooltipIf
  return target && (!condition || target.matches(condition)) ? target : null
}

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return
  const target = targetOf(event)
  if (!target || target === owner) return
  close()
  const wait = performance.now() - closedAt < TOOLTIP_SKIP_DELAY ? 0 : TOOLTIP_DELAY
  timer = setTimeout(() => open(target), wait)
})
document.addEventListener('pointerout', (event) => {
  const target = targetOf(event)
  if (target && !(event.relatedTarget instanceof Node && target.contains(event.relatedTarget))) close()
})
document.addEventListener('focusin', (event) => {
  const target = targetOf(event)
  // Not meanwhile: a popover that opens may move the focus (the phone's drawer), and no second one opens while it does.
  if (target?.matches(':focus-visible')) timer = setTimeout(() => open(target))
})
document.addEventListener('focusout', close)
document.addEventListener('pointerdown', close)
document.addEventListener('scroll', close, { capture: true, passive: true })
document.addEventListener('keydown', (event) => event.key === 'Escape' && close())
