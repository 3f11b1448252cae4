// emoji-mart supports the keyboard from its search field only, and its emojis are not in the tab order. This makes the emojis a
// listbox with roving tabindex, and the categories tabs.

const EMOJI_SELECTOR = 'button[aria-posinset]'
/** Rows that Page Up and Page Down move by. */
const PAGE_ROWS = 5

/** Waits until the picker has rendered. @returns its scroll area */
async function waitUntilRendered(root: ShadowRoot): Promise<HTMLElement> {
  for (;;) {
    const scroll = root.querySelector<HTMLElement>('.scroll')
    if (scroll?.querySelector(EMOJI_SELECTOR)) return scroll
    await new Promise(requestAnimationFrame)
  }
}

/** Sets missing roles and names; called again for every row that scrolling adds. */
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

/** The first visible emoji below its category's sticky title. */
function findFirstVisible(scroll: HTMLElement): HTMLElement | undefined {
  const title = scroll.querySelector<HTMLElement>('.sticky')?.offsetHeight ?? 0
  const top = scroll.getBoundingClientRect().top + title - 4
  const emojis = [...scroll.querySelectorAll<HTMLElement>(EMOJI_SELECTOR)]
  return emojis.find((emoji) => emoji.getBoundingClientRect().top >= top) ?? emojis[0]
}

/** The emoji that a key moves to from `emoji`; undefined past an end, null for other keys. */
function findKeyTarget(scroll: HTMLElement, emoji: HTMLElement, key: string): HTMLElement | null | undefined {
  const row = emoji.closest<HTMLElement>('.row')!
  const column = emojisOf(row).indexOf(emoji)
  const findBeside = (step: number) => {
    const position = Number(emoji.getAttribute('aria-posinset')) + step
    return scroll.querySelector<HTMLElement>(`${EMOJI_SELECTOR}[aria-posinset="${position}"]`)
  }
  const findInRow = (rows: number) => {
    // Past an end it stops at the last row.
    for (let left = rows; left !== 0; left -= Math.sign(left)) {
      const emojis = emojisOf(scroll.querySelector(`.row[data-index="${Number(row.dataset.index) + left}"]`))
      if (emojis.length > 0) return emojis[Math.min(column, emojis.length - 1)]
    }
    return undefined
  }
  const moves: Record<string, () => HTMLElement | null | undefined> = {
    ArrowRight: () => findBeside(1),
    ArrowLeft: () => findBeside(-1),
    ArrowDown: () => findInRow(1),
    ArrowUp: () => findInRow(-1),
    PageDown: () => findInRow(PAGE_ROWS),
    PageUp: () => findInRow(-PAGE_ROWS),
    Home: () => emojisOf(row)[0],
    End: () => emojisOf(row).at(-1),
  }
  return Object.hasOwn(moves, key) ? moves[key]!() : null
}

function moveBetweenTabs(event: KeyboardEvent): void {
  const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')]
  const index = tabs.findIndex((tab) => tab === event.target)
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (index < 0 || !step) return
  event.preventDefault()
  tabs.at((index + step) % tabs.length)!.focus()
}

const enhancedRoots = new WeakSet<ShadowRoot>()

/** Makes a picker usable by keyboard and screen reader. @returns a function that moves the focus to its emojis */
export async function addKeyboardSupport(root: ShadowRoot): Promise<() => void> {
  const scroll = await waitUntilRendered(root)
  const focusEmojis = () => findFirstVisible(scroll)?.focus()
  if (enhancedRoots.has(root)) return focusEmojis
  enhancedRoots.add(root)

  const tabs = root.querySelector<HTMLElement>('#nav > div')!
  tabs.setAttribute('role', 'tablist')
  tabs.setAttribute('aria-label', 'Categorías')
  tabs.addEventListener('keydown', moveBetweenTabs)
  scroll.setAttribute('role', 'listbox')
  scroll.setAttribute('aria-label', 'Emojis')
  scroll.tabIndex = 0
  setRoles(root, scroll)
  new MutationObserver(() => setRoles(root, scroll)).observe(scroll, { childList: true, subtree: true })

  // Only the focused emoji is in the tab order. Without one the list is, and passes the focus on.
  scroll.addEventListener('focusin', ({ target }) => {
    if (target === scroll) return focusEmojis()
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
  return focusEmojis
}
