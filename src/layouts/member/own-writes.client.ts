// Back shows a page as it was left: from the back/forward cache, or from the HTTP cache without asking the server. Where its
// member has saved or deleted something in this tab since, the page is loaded again. Likes and comments need no reload: the
// live stream brings them (features/live).

/** sessionStorage key of OwnWrites. */
const STORAGE_KEY = 'perrario.writes'
/** As in features/dogs/list/list-position.client.ts: a shared module would cost the list one more file. */
const LIST_POSITION_KEY = 'perrario.cards'

/** Older ones are loaded again if Back shows them. */
const MAX_ADDRESSES = 50

interface OwnWrites {
  /** Writes of this tab. */
  count: number
  /** Addresses that were loaded since the last write. */
  fresh: string[]
}

function readOwnWrites(): OwnWrites {
  try {
    const stored: OwnWrites | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    if (stored) return stored
  } catch {
    // Without storage Back shows what the browser has.
  }
  return { count: 0, fresh: [] }
}

function storeOwnWrites(writes: OwnWrites): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(writes))
  } catch {
    // As above.
  }
}

const currentAddress = () => location.pathname + location.search

/** `count` when this page was loaded, or showed its own write. */
let shownCount = readOwnWrites().count

/** Keeps the list's scroll position but not its dogs, which are out of date. */
function dropListedDogs(): void {
  try {
    const position: object | null = JSON.parse(sessionStorage.getItem(LIST_POSITION_KEY) ?? 'null')
    if (position) sessionStorage.setItem(LIST_POSITION_KEY, JSON.stringify({ ...position, dogs: [] }))
  } catch {
    // As above.
  }
}

function countWrite(): void {
  storeOwnWrites({ count: readOwnWrites().count + 1, fresh: [] })
  dropListedDogs()
}

/** The page shows everything that its member has written. */
function markFresh(): void {
  const { count, fresh } = readOwnWrites()
  shownCount = count
  if (count > 0 && !fresh.includes(currentAddress()))
    storeOwnWrites({ count, fresh: [...fresh.slice(1 - MAX_ADDRESSES), currentAddress()] })
}

/** The list stores its dogs once more when the page is left. */
function reloadOutdated(): void {
  addEventListener('pagehide', dropListedDogs)
  location.reload()
}

for (const name of ['perrario:dog-saved', 'perrario:profile-saved'])
  addEventListener(name, () => {
    countWrite()
    markFresh()
  })
// On `window`, after every listener that may prevent it. The page that sends a form does not show what comes of it.
addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (!event.defaultPrevented && form.method === 'post') countWrite()
})

addEventListener('perrario:signed-out', () => storeOwnWrites({ count: 0, fresh: [] }))

addEventListener('pageshow', ({ persisted }) => {
  if (persisted && readOwnWrites().count !== shownCount) reloadOutdated()
})

const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
const isFromCache = load?.type === 'back_forward' && load.transferSize === 0
if (isFromCache && shownCount > 0 && !readOwnWrites().fresh.includes(currentAddress())) reloadOutdated()
else markFresh()
