// `[role=tablist]` whose `[role=tab]` buttons name their panel in aria-controls. A click selects a tab; arrows, Home and End move
// the focus and select at once, since all panels are on the page.

const tabsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('[role=tab]')]

function selectTab(list: Element, selected: HTMLElement) {
  for (const tab of tabsOf(list)) {
    const isSelected = tab === selected
    tab.setAttribute('aria-selected', String(isSelected))
    tab.tabIndex = isSelected ? 0 : -1
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
    if (panel) panel.hidden = !isSelected
  }
  selected.dispatchEvent(new CustomEvent('perrario:tab', { bubbles: true }))
}

const findTab = (event: Event) => {
  const tab = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=tab][aria-controls]') : null
  const list = tab?.closest('[role=tablist]')
  return tab && list ? { tab, list } : null
}

document.addEventListener('click', (event) => {
  const found = findTab(event)
  if (found) selectTab(found.list, found.tab)
})

document.addEventListener('keydown', (event) => {
  const found = findTab(event)
  if (!found) return
  const tabs = tabsOf(found.list)
  const index = tabs.indexOf(found.tab)
  const targets: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  const next = tabs.at(target % tabs.length)!
  selectTab(found.list, next)
  next.focus()
})
