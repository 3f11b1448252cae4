import { displayName, UNKNOWN_DOG, UNKNOWN_PERSON } from '#features/dogs/dogs.ts'
import { onLive } from '#features/live/live.client.ts'
import { $bell, $isBellOpen } from '#features/notifications/bell/bell.store.ts'
import { likesSentence } from '#features/notifications/notifications.ts'
import { formatRelative } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import * as pure from './activity.ts'

// The header's counters «likes nuevos» and «perros nuevos» (docs/product.md §3.5) and the lists they open. Desktop only. Live
// events are counted without a request; an open list fetches the names, and a like taken back does not say which it was.

type Kind = 'likes' | 'dogs'
const DAY_MS = 86_400_000
/** Milliseconds within which several events cause one fetch. */
const REFETCH_DELAY_MS = 1000

const root = document.querySelector<HTMLElement>('[data-activity]')
const memberId = document.body.dataset.member ?? ''
const ACTIVITY_KEY = 'perrario-activity'
const READ_KEYS = { likes: 'perrario-read-likes', dogs: 'perrario-read-dogs' }
const findButton = (kind: Kind) => root!.querySelector<HTMLElement>(`[data-news=${kind}]`)!
const findList = (kind: Kind) => root!.querySelector<HTMLElement>(`[data-news-list=${kind}]`)!

/** Storage may be unavailable or hold invalid data or another member's lists, which are removed: undefined then. */
function readStored<T>(storage: () => Storage, key: string): T | undefined {
  try {
    const stored: { member: string; value: T } = JSON.parse(storage().getItem(key)!)
    if (stored.member === memberId) return stored.value
    storage().removeItem(key)
  } catch {
    // No storage, or nothing that could be read.
  }
  return undefined
}

function writeStored(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify({ member: memberId, value }))
  } catch {
    // Without storage the counters only count read items again.
  }
}

const getLocalStorage = () => localStorage
const getSessionStorage = () => sessionStorage
window.addEventListener('perrario:signed-out', () => {
  for (const key of Object.values(READ_KEYS)) localStorage.removeItem(key)
  sessionStorage.removeItem(ACTIVITY_KEY)
})

let activity: pure.Activity = readStored(getSessionStorage, ACTIVITY_KEY) ?? { likes: [], dogs: [] }
/** Items that were unread when their list was opened or came since: they stay highlighted while it is open. */
const highlightedIds = { likes: new Set<string>(), dogs: new Set<string>() }
let refetchTimer: ReturnType<typeof setTimeout> | undefined

const loadReadList = (kind: Kind): pure.ReadList =>
  pure.pruneReadList(
    readStored<pure.ReadList>(getLocalStorage, READ_KEYS[kind]) ?? {},
    pure.startOfLocalDay(Date.now()),
  )

function listToday(kind: Kind): (pure.NewLike | pure.NewDog)[] {
  const midnight = pure.startOfLocalDay(Date.now())
  return kind === 'likes' ? pure.todaysLikes(activity, midnight) : pure.todaysDogs(activity, midnight, memberId)
}

/** Marks `items` as read; by default all of today's of this kind. */
function markRead(kind: Kind, items = listToday(kind)): void {
  const entries = items.map(({ id, created_at }) => [id, created_at])
  writeStored(getLocalStorage, READ_KEYS[kind], { ...loadReadList(kind), ...Object.fromEntries(entries) })
}

/** The open bell lists a notification per liked dog: marks the likes of these dogs as read, and no others. */
function markReadInBell(): void {
  const dogs = new Set(($bell.get().list ?? []).filter(({ type }) => type === 'like').map(({ dog_id }) => dog_id))
  markRead(
    'likes',
    pure.todaysLikes(activity, pure.startOfLocalDay(Date.now())).filter(({ dog_id }) => dogs.has(dog_id)),
  )
}

function renderCounters(): void {
  if ($isBellOpen.get()) markReadInBell()
  for (const kind of ['likes', 'dogs'] as const) {
    if (findList(kind).matches(':popover-open')) markRead(kind)
    const [number, words] = pure.counterTexts(kind, pure.countUnread(listToday(kind), loadReadList(kind)))
    const [b, span] = findButton(kind).children
    b!.textContent = number
    span!.textContent = words
  }
  root!.dataset.activity = 'ready'
}

function renderList(kind: Kind): void {
  const read = loadReadList(kind)
  for (const { id } of listToday(kind)) if (!Object.hasOwn(read, id)) highlightedIds[kind].add(id)
  const items = listToday(kind).map((item) => {
    const line = document.createElement('li')
    const link = document.createElement(item.path ? 'a' : 'div')
    if (item.path) link.setAttribute('href', item.path)
    link.classList.toggle('new', highlightedIds[kind].has(item.id))
    const appendText = (tag: string, text: string) => {
      const element = document.createElement(tag)
      element.textContent = text
      element.dir = 'auto'
      link.append(element)
    }
    if ('dog' in item) appendText('b', likesSentence(item.alias, 1, item.dog))
    else {
      appendText('b', item.name)
      appendText('span', `${item.breed} · Subido por ${item.alias}`)
    }
    appendText('time', formatRelative(item.created_at, Date.now()))
    line.append(link)
    return line
  })
  const area = findList(kind)
  // Keeps the focus on the same line.
  const focusedHref = area.contains(document.activeElement) && document.activeElement?.getAttribute('href')
  area.querySelector('ul')!.replaceChildren(...items)
  if (focusedHref) area.querySelector<HTMLElement>(`[href="${CSS.escape(focusedHref)}"]`)?.focus()
  area.querySelector('p')!.hidden = items.length > 0
}

/**
 * Fetches and shows the activity.
 * @returns the answer's likes for the hearts, where `address` asks for them; 401 where nobody is signed in any more
 */
export async function fetchActivity(address: string = paths.api.activity): Promise<string[] | 401 | undefined> {
  clearTimeout(refetchTimer)
  refetchTimer = undefined
  try {
    const response = await fetch(address, { headers: { Accept: 'application/json' } })
    if (response.status === 401) return 401
    if (!response.ok) throw new Error(`activity answered ${response.status}`)
    const { liked, ...fetched }: pure.Activity = await response.json()
    activity = fetched
    onActivityChange()
    return liked
  } catch (error) {
    console.error('No se pudo cargar la actividad:', error)
    return undefined
  }
}

/** Stores the activity for the next page, and renders counters and open lists. */
function onActivityChange(): void {
  writeStored(getSessionStorage, ACTIVITY_KEY, activity)
  for (const kind of ['likes', 'dogs'] as const) if (findList(kind).matches(':popover-open')) renderList(kind)
  renderCounters()
}

const fetchLater = (delayMs = REFETCH_DELAY_MS): void =>
  void (refetchTimer ??= setTimeout(() => void fetchActivity(), delayMs))

function onLiveEvent(kind: Kind): void {
  onActivityChange()
  // Events carry no names: an open list fetches them.
  if (findList(kind).matches(':popover-open')) fetchLater()
}

function subscribeToLive(): void {
  onLive('like', ({ id, dog_id, user_id, liked, owner_id, discoverer_id, created_at }) => {
    if (user_id === memberId || (owner_id !== memberId && discoverer_id !== memberId)) return
    if (!liked) return fetchLater()
    const likes = activity.likes.filter((like) => like.id !== id)
    const known = activity.likes.find((like) => like.dog_id === dog_id)
    const names = { alias: UNKNOWN_PERSON, dog: known?.dog ?? UNKNOWN_DOG, path: known?.path ?? null }
    likes.unshift({ id, dog_id, user_id, created_at, ...names })
    activity = { ...activity, likes: likes.slice(0, pure.MAX_LIKES_LISTED) }
    onLiveEvent('likes')
  })
  onLive('dog', ({ action, id, ...dog }) => {
    const known = activity.dogs.find((item) => item.id === id)
    if (action === 'changed' && !known) return
    const dogs = activity.dogs.filter((item) => item !== known)
    if (action !== 'removed')
      dogs.push({
        id,
        name: displayName(dog.name ?? ''),
        breed: dog.breed ?? '',
        owner_id: dog.owner_id ?? null,
        discoverer_id: dog.discoverer_id ?? null,
        created_at: dog.created_at ?? 0,
        path: dog.path ?? null,
        alias: known?.alias ?? UNKNOWN_PERSON,
      })
    dogs.sort((a, b) => b.created_at - a.created_at)
    const likes = action === 'removed' ? activity.likes.filter((like) => like.dog_id !== id) : activity.likes
    activity = { likes, dogs: dogs.slice(0, pure.NEWEST_DOGS) }
    onLiveEvent('dogs')
  })
  onLive('resync', () => fetchLater(Math.random() * REFETCH_DELAY_MS * 3))
}

function start(): void {
  // Shows the last page's activity until the response arrives, so that the numbers do not flicker.
  if (readStored(getSessionStorage, ACTIVITY_KEY)) renderCounters()
  subscribeToLive()
  for (const kind of ['likes', 'dogs'] as const) {
    const area = findList(kind)
    area.addEventListener('beforetoggle', (event) => {
      if (event.newState !== 'open') return
      const { bottom, right } = findButton(kind).getBoundingClientRect()
      area.style.top = `${bottom + window.scrollY + 6}px`
      area.style.right = `${document.documentElement.getBoundingClientRect().right - right}px`
      highlightedIds[kind] = new Set()
      renderList(kind)
    })
    area.addEventListener('toggle', (event) => {
      if (event.newState !== 'open') return
      renderCounters()
      void fetchActivity()
    })
  }
  $isBellOpen.listen((isOpen) => isOpen && renderCounters())
  $bell.listen(() => $isBellOpen.get() && renderCounters())
  // Renders again when another tab has read, when this tab becomes visible and when a new day begins.
  window.addEventListener(
    'storage',
    ({ key }) => (key === READ_KEYS.likes || key === READ_KEYS.dogs) && renderCounters(),
  )
  document.addEventListener('visibilitychange', renderCounters)
  const onNewDay = () => {
    renderCounters()
    setTimeout(onNewDay, pure.startOfLocalDay(Date.now() + DAY_MS) - Date.now() + 1000)
  }
  setTimeout(onNewDay, pure.startOfLocalDay(Date.now() + DAY_MS) - Date.now() + 1000)
}

const desktop = matchMedia('(min-width: 769px)')
/** Whether the page has the counters where they fit: layouts/member/load-state.client.ts then fetches what they count. */
export const isActivityShown = root !== null && desktop.matches

if (isActivityShown) start()
else if (root)
  desktop.addEventListener(
    'change',
    () => {
      start()
      void fetchActivity()
    },
    { once: true },
  )
