// emoji-mart moves by keys from its search field alone, and has its emojis out of the tab order. Here they become a listbox
// with a roving focus, and its categories tabs.

const EMOJI_SELECTOR = 'button[aria-posinset]'
/** Rows that Page Up and Page Down move by. */
const PAGE_ROWS = 5

/** Waits until the picker has drawn itself. */
async function waitUntilRendered(root: ShadowRoot): Promise<HTMLElement> {
  for (;;) {
    const scroll = root.querySelector<HTMLElement>('.scroll')
    if (scroll?.querySelector(EMOJI_SELECTOR)) return scroll
    await new Promise(requestAnimationFrame)
  }
}

/** Sets what is missing of roles and names; called again for every row that scrolling brings. */
function setRoles(root: ShadowRoot, scroll: HTMLElement): void {
  for (const tab of root.querySelectorAll('#nav button')) tab.setAttribute('role', 'tab')
  for (const category of scroll.querySelectorAll('.category')) {
    const title = category.querySelector('.sticky')!
    category.setAttribute('role', 'group')
    category.setAttribute('aria-label', title.textContent ?? '')
    title.setAttribute('aria-hidden', 'true')
  }
  for (const row of scroll.querySelectorAll('.row:not([role])')) row.setAttribute('role', 'presentation')
  for (const emoji of scroll.querySelectorAll(`${EMOJI_SELECTOR}:not([role])`)) emoji.setAttribute('role', 'option')
}

const emojisOf = (row: Element | null) => [...(row?.querySelectorAll<HTMLElement>(EMOJI_SELECTOR) ?? [])]

/** The first emoji in sight below its category's title. */
function firstInSight(scroll: HTMLElement): HTMLElement | undefined {
  const title = scroll.querySelector<HTMLElement>('.sticky')?.offsetHeight ?? 0
  const top = scroll.getBoundingClientRect().top + title - 4
  const emojis = [...scroll.querySelectorAll<HTMLElement>(EMOJI_SELECTOR)]
  return emojis.find((emoji) => emoji.getBoundingClientRect().top >= top) ?? emojis[0]
}

/** Where a key leads from `emoji`; null for keys that lead nowhere. */
function findKeyTarget(scroll: HTMLElement, emoji: HTMLElement, key: string): HTMLElement | null | undefined {
  const row = emoji.closest<HTMLElement>('.row')!
  const column = emojisOf(row).indexOf(emoji)
  const beside = (step: number) => {
    const place = Number(emoji.getAttribute('aria-posinset')) + step
    return scroll.querySelector<HTMLElement>(`${EMOJI_SELECTOR}[aria-posinset="${place}"]`)
  }
  const above = (rows: number) => {
    // Past the end, as far as there are rows.
    for (let left = rows; left !== 0; left -= Math.sign(left)) {
      const emojis = emojisOf(scroll.querySelector(`.row[data-index="${Number(row.dataset.index) + left}"]`))
      if (emojis.length > 0) return emojis[Math.min(column, emojis.length - 1)]
    }
    return undefined
  }
  const ways: Record<string, () => HTMLElement | null | undefined> = {
    ArrowRight: () => beside(1),
    ArrowLeft: () => beside(-1),
    ArrowDown: () => above(1),
    ArrowUp: () => above(-1),
    PageDown: () => above(PAGE_ROWS),
    PageUp: () => above(-PAGE_ROWS),
    Home: () => emojisOf(row)[0],
    End: () => emojisOf(row).at(-1),
  }
  return Object.hasOwn(ways, key) ? ways[key]!() : null
}

function moveInTabs(event: KeyboardEvent): void {
  const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')]
  const at = tabs.findIndex((tab) => tab === event.target)
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (at < 0 || !step) return
  event.preventDefault()
  tabs.at((at + step) % tabs.length)!.focus()
}

const enhancedRoots = new WeakSet<ShadowRoot>()

/** Makes a picker operable by keys and readable by ear; answers what moves the focus to its emojis. */
export async function addKeyboardSupport(root: ShadowRoot): Promise<() => void> {
  const scroll = await waitUntilRendered(root)
  const enter = () => firstInSight(scroll)?.focus()
  if (enhancedRoots.has(root)) return enter
  enhancedRoots.add(root)

  const tabs = root.querySelector<HTMLElement>('#nav > div')!
  tabs.setAttribute('role', 'tablist')
  tabs.setAttribute('aria-label', 'Categorías')
  tabs.addEventListener('keydown', moveInTabs)
  scroll.setAttribute('role', 'listbox')
  scroll.setAttribute('aria-label', 'Emojis')
  scroll.tabIndex = 0
  setRoles(root, scroll)
  new MutationObserver(() => setRoles(root, scroll)).observe(scroll, { childList: true, subtree: true })

  // One emoji is in the tab order: the one with the focus. Without one it is the list, which hands the focus on.
  scroll.addEventListener('focusin', ({ target }) => {
    if (target === scroll) return enter()
    scroll.tabIndex = -1
    ;(target as HTMLElement).tabIndex = 0
  })
  scroll.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (target !== scroll) (target as HTMLElement).tabIndex = -1
    if (!(relatedTarget instanceof Node && scroll.contains(relatedTarget))) scroll.tabIndex = 0
  })
  scroll.addEventListener('keydown', (event) => {
    const emoji = event.target instanceof Element ? event.target.closest<HTMLElement>(EMOJI_SELECTOR) : null
    const next = emoji && findKeyTarget(scroll, emoji, event.key)
    if (next === null) return
    event.preventDefault()
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  })
  return enter
}
