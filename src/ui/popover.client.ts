// Keyboard support that a popover with `popovertarget` lacks: it takes the focus when it opens (the browser gives it back), and
// closes when Tab leaves it, so that it does not cover the focused element.

const AUTO_POPOVER = '[popover]:not([popover=manual])'

document.addEventListener(
  'toggle',
  ({ target, newState }) => {
    if (newState !== 'open' || !(target instanceof HTMLElement) || !target.matches(AUTO_POPOVER)) return
    if (target.contains(document.activeElement)) return
    target.tabIndex = -1
    target.focus()
  },
  { capture: true },
)

document.addEventListener('focusin', ({ target }) => {
  const open = document.querySelector<HTMLElement>(`${AUTO_POPOVER}[id]:popover-open`)
  if (!open || !(target instanceof Element) || open.contains(target)) return
  if (!target.closest(`[popovertarget="${open.id}"]`)) open.hidePopover()
})
