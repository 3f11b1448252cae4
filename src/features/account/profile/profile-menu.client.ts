// Adds to <details> what a menu needs: a press elsewhere, Tab out of it or Escape closes it.
const findOpenMenu = () => document.querySelector<HTMLDetailsElement>('details[data-menu][open]')

document.addEventListener('pointerdown', (event) => {
  const menu = findOpenMenu()
  if (menu && event.target instanceof Node && !menu.contains(event.target)) menu.open = false
})
document.addEventListener('focusin', ({ target }) => {
  const menu = findOpenMenu()
  if (menu && target instanceof Node && !menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' ? findOpenMenu() : null
  if (!menu) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})

// An item that opens a dialog closes the menu; when the dialog closes, the focus returns to the menu.
document.addEventListener('click', (event) => {
  const menu = findOpenMenu()
  const item = event.target instanceof Element && event.target.closest<HTMLElement>('[data-menu] [data-dialog-open]')
  if (!menu || !item) return
  menu.open = false
  document
    .getElementById(item.dataset.dialogOpen!)
    ?.addEventListener('close', () => menu.querySelector('summary')?.focus(), { once: true })
})
