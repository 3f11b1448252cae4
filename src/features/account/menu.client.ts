// What <details> lacks as a menu: a press elsewhere or Escape closes it.
const openMenu = () => document.querySelector<HTMLDetailsElement>('details[data-menu][open]')

document.addEventListener('pointerdown', (event) => {
  const menu = openMenu()
  if (menu && event.target instanceof Node && !menu.contains(event.target)) menu.open = false
})
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' ? openMenu() : null
  if (!menu) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})
