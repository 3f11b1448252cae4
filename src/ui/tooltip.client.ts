// `data-tooltip="text"` on anything focusable. Opens after 700 ms of pointing, at once on keyboard focus, and at once
// when another one closed less than 300 ms ago (docs/product.md §21.1). `data-tooltip-if` holds a selector that must match.
// It repeats the control's accessible name, so it is hidden from assistive technology. Styles in ui/styles/overlays.css.

export const TOOLTIP_DELAY_MS = 700
export const TOOLTIP_SKIP_DELAY_MS = 300

const GAP_PX = 8
let tooltip: HTMLElement | undefined
let tooltipTarget: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let closedAt = -Infinity

function getTooltip(): HTMLElement {
  if (tooltip) return tooltip
  tooltip = document.createElement('div')
  tooltip.className = 'tooltip'
  tooltip.popover = 'manual'
  tooltip.setAttribute('aria-hidden', 'true')
  document.body.append(tooltip)
  return tooltip
}

function openTooltip(target: HTMLElement) {
  const box = getTooltip()
  box.textContent = target.dataset.tooltip ?? ''
  box.showPopover()
  tooltipTarget = target
  const anchor = target.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const fitsBelow = anchor.bottom + GAP_PX + height <= innerHeight
  const left = Math.max(GAP_PX, Math.min(anchor.left + anchor.width / 2 - width / 2, innerWidth - width - GAP_PX))
  box.style.left = `${left}px`
  box.style.top = `${fitsBelow ? anchor.bottom + GAP_PX : anchor.top - GAP_PX - height}px`
}

function closeTooltip() {
  clearTimeout(timer)
  if (!tooltipTarget) return
  tooltipTarget = undefined
  closedAt = performance.now()
  tooltip?.hidePopover()
}

function findTooltipTarget(event: Event): HTMLElement | null {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null
  const condition = target?.dataset.tooltipIf
  return target && (!condition || target.matches(condition)) ? target : null
}

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return
  const target = findTooltipTarget(event)
  if (!target || target === tooltipTarget) return
  closeTooltip()
  const delayMs = performance.now() - closedAt < TOOLTIP_SKIP_DELAY_MS ? 0 : TOOLTIP_DELAY_MS
  timer = setTimeout(() => openTooltip(target), delayMs)
})
document.addEventListener('pointerout', (event) => {
  const target = findTooltipTarget(event)
  if (target && !(event.relatedTarget instanceof Node && target.contains(event.relatedTarget))) closeTooltip()
})
document.addEventListener('focusin', (event) => {
  const target = findTooltipTarget(event)
  // In a later task: a popover that opens may move the focus (the phone's drawer), and no second one can open meanwhile.
  if (target?.matches(':focus-visible')) timer = setTimeout(() => openTooltip(target))
})
document.addEventListener('focusout', closeTooltip)
document.addEventListener('pointerdown', closeTooltip)
document.addEventListener('scroll', closeTooltip, { capture: true, passive: true })
document.addEventListener('keydown', (event) => event.key === 'Escape' && closeTooltip())
