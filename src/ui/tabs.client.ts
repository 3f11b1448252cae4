// `[role=tablist]` whose `[role=tab]` buttons name their panel in aria-controls: arrows, Home and End move, a click or
// the focus selects (the panels are already on the page, so that selecting costs nothing).

const tabsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('[role=tab]')]

function selectTab(list: Element, chosen: HTMLElement) {
  for (const tab of tabsOf(list)) {
    const on = tab === chosen
    tab.setAttribute('aria-selected', String(on))
    tab.tabIndex = on ? 0 : -1
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
    if (panel) panel.hidden = !on
  }
  chosen.dispatchEvent(new CustomEvent('perrario:tab', { bubbles: true }))
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
  const at = tabs.indexOf(found.tab)
  const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
  const to = moves[event.key]
  if (to === undefined) return
  event.preventDefault()
  const next = tabs.at(to % tabs.length)!
  selectTab(found.list, next)
  next.focus()
})
