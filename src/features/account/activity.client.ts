import { shownName, UNKNOWN_DOG, UNKNOWN_PERSON } from '#features/dogs/dogs.ts'
import { onLive } from '#features/live/live.client.ts'
import { $bell, $isBellOpen } from '#features/notifications/bell.store.ts'
import { likesSentence } from '#features/notifications/notifications.ts'
import { formatRelative } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import * as pure from './activity.ts'

// The header's counters «likes nuevos» and «perros nuevos» (docs/product.md §3.5) and the lists they open. Desktop only. What is
// heard is counted without asking; only an opened list asks for the names in it.

type Kind = 'likes' | 'dogs'
const DAY = 86_400_000
/** News that come close together are asked for once, ms. */
const ASK_AFTER = 1000

const root = document.querySelector<HTMLElement>('[data-activity]')
const member = document.body.dataset.member ?? ''
const LAST = 'perrario-activity'
const READ = { likes: 'perrario-read-likes', dogs: 'perrario-read-dogs' }
const button = (kind: Kind) => root!.querySelector<HTMLElement>(`[data-news=${kind}]`)!
const list = (kind: Kind) => root!.querySelector<HTMLElement>(`[data-news-list=${kind}]`)!

/** Storage may be closed or hold anything, another member's lists among it. */
function stored<T>(storage: () => Storage, key: string): T | undefined {
  try {
    const kept: { member: string; value: T } = JSON.parse(storage().getItem(key)!)
    return kept.member === member ? kept.value : undefined
  } catch {
    return undefined
  }
}

function store(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify({ member, value }))
  } catch {
    // The counters count again what was read; nothing else is lost.
  }
}

const device = () => localStorage
const tab = () => sessionStorage

let activity: pure.Activity = stored(tab, LAST) ?? { likes: [], dogs: [] }
/** What was new when a list was opened, or came since: it stays marked while one looks. */
const marks = { likes: new Set<string>(), dogs: new Set<string>() }
let asking: ReturnType<typeof setTimeout> | undefined

const readList = (kind: Kind): pure.ReadList =>
  pure.pruned(stored<pure.ReadList>(device, READ[kind]) ?? {}, pure.midnightOf(Date.now()))

function today(kind: Kind): (pure.NewLike | pure.NewDog)[] {
  const midnight = pure.midnightOf(Date.now())
  return kind === 'likes' ? pure.todaysLikes(activity, midnight) : pure.todaysDogs(activity, midnight, member)
}

/** Writes the read list: all of today's of this kind has been seen, or these. */
function see(kind: Kind, items = today(kind)): void {
  const seen = items.map(({ id, created_at }) => [id, created_at])
  store(device, READ[kind], { ...readList(kind), ...Object.fromEntries(seen) })
}

/** The open bell shows a line for each liked dog: the likes of these dogs have been seen, no others, and no dogs. */
function seeInBell(): void {
  const dogs = new Set(($bell.get().list ?? []).filter(({ type }) => type === 'like').map(({ dog_id }) => dog_id))
  see(
    'likes',
    pure.todaysLikes(activity, pure.midnightOf(Date.now())).filter(({ dog_id }) => dogs.has(dog_id)),
  )
}

function paint(): void {
  if ($isBellOpen.get()) seeInBell()
  for (const kind of ['likes', 'dogs'] as const) {
    if (list(kind).matches(':popover-open')) see(kind)
    const [number, words] = pure.counterTexts(kind, pure.countUnseen(today(kind), readList(kind)))
    const [b, span] = button(kind).children
    b!.textContent = number
    span!.textContent = words
  }
  root!.dataset.activity = 'ready'
}

function show(kind: Kind): void {
  const read = readList(kind)
  for (const { id } of today(kind)) if (!Object.hasOwn(read, id)) marks[kind].add(id)
  const items = today(kind).map((item) => {
    const line = document.createElement('li')
    const link = document.createElement(item.path ? 'a' : 'div')
    if (item.path) link.setAttribute('href', item.path)
    link.classList.toggle('new', marks[kind].has(item.id))
    const part = (tag: string, text: string) => {
      const element = document.createElement(tag)
      element.textContent = text
      link.append(element)
    }
    if ('dog' in item) part('b', likesSentence(item.alias, 1, item.dog))
    else {
      part('b', item.name)
      part('span', `${item.breed} · Subido por ${item.alias}`)
    }
    part('time', formatRelative(item.created_at, Date.now()))
    line.append(link)
    return line
  })
  const area = list(kind)
  // Who stands on a line stays on it.
  const at = area.contains(document.activeElement) && document.activeElement?.getAttribute('href')
  area.querySelector('ul')!.replaceChildren(...items)
  if (at) area.querySelector<HTMLElement>(`[href="${CSS.escape(at)}"]`)?.focus()
  area.querySelector('p')!.hidden = items.length > 0
}

async function load(): Promise<void> {
  clearTimeout(asking)
  asking = undefined
  try {
    const response = await fetch(paths.api.activity, { headers: { Accept: 'application/json' } })
    if (!response.ok) throw new Error(`activity answered ${response.status}`)
    activity = await response.json()
    change()
  } catch (error) {
    console.error('No se pudo cargar la actividad:', error)
  }
}

/** After the activity changed: keeps it for the next page, counts it, and lists it where a list is open. */
function change(): void {
  store(tab, LAST, activity)
  for (const kind of ['likes', 'dogs'] as const) if (list(kind).matches(':popover-open')) show(kind)
  paint()
}

function heard(kind: Kind): void {
  change()
  // Its names are not told; who looks at the list gets them.
  if (list(kind).matches(':popover-open')) asking ??= setTimeout(load, ASK_AFTER)
}

function listen(): void {
  onLive('like', ({ id, dog_id, user_id, liked, owner_id, discoverer_id, created_at }) => {
    if (user_id === member || (owner_id !== member && discoverer_id !== member)) return
    const likes = activity.likes.filter((like) => like.id !== id)
    const known = activity.likes.find((like) => like.dog_id === dog_id)
    const names = { alias: UNKNOWN_PERSON, dog: known?.dog ?? UNKNOWN_DOG, path: known?.path ?? null }
    if (liked) likes.unshift({ id, dog_id, user_id, created_at, ...names })
    activity = { ...activity, likes: likes.slice(0, pure.LIKES_LISTED) }
    heard('likes')
  })
  onLive('dog', ({ action, id, ...dog }) => {
    const known = activity.dogs.find((one) => one.id === id)
    if (action === 'changed' && !known) return
    const dogs = activity.dogs.filter((one) => one !== known)
    if (action !== 'removed')
      dogs.push({
        id,
        name: shownName(dog.name ?? ''),
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
    heard('dogs')
  })
  onLive('resync', () => void (asking ??= setTimeout(load, Math.random() * ASK_AFTER * 3)))
}

function start(): void {
  // What the last page knew is shown until the answer is there, so that the numbers do not blink.
  if (stored(tab, LAST)) paint()
  listen()
  void load()
  for (const kind of ['likes', 'dogs'] as const) {
    const area = list(kind)
    area.addEventListener('beforetoggle', (event) => {
      if ((event as ToggleEvent).newState !== 'open') return
      const { bottom, right } = button(kind).getBoundingClientRect()
      area.style.top = `${bottom + window.scrollY + 6}px`
      area.style.right = `${document.documentElement.getBoundingClientRect().right - right}px`
      marks[kind] = new Set()
      show(kind)
    })
    area.addEventListener('toggle', (event) => {
      if ((event as ToggleEvent).newState !== 'open') return
      paint()
      void load()
    })
  }
  $isBellOpen.listen((isOpen) => isOpen && paint())
  $bell.listen(() => $isBellOpen.get() && paint())
  // Another tab has read; a new day has begun; the tab is looked at again.
  window.addEventListener('storage', ({ key }) => (key === READ.likes || key === READ.dogs) && paint())
  document.addEventListener('visibilitychange', paint)
  const tomorrow = () => {
    paint()
    setTimeout(tomorrow, pure.midnightOf(Date.now() + DAY) - Date.now() + 1000)
  }
  setTimeout(tomorrow, pure.midnightOf(Date.now() + DAY) - Date.now() + 1000)
}

if (root) {
  const wide = matchMedia('(min-width: 769px)')
  if (wide.matches) start()
  else wide.addEventListener('change', start, { once: true })
}
