import type { LikeEvent } from '#features/live/live.ts'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { LIKE_STATES_MAX, LIKED_KEY, LIKED_MAX, type LikedAnswer, type LikeState } from './likes.ts'
import { $hearts, withOrWithout, heartState, type RenderedHeart } from './likes.store.ts'
import {
  applyAnswer,
  beginPress,
  failPress,
  type PressStep,
  type Press,
  releasePress,
  type HeartUpdate,
  applyLikeUpdate,
} from './like-reconciler.ts'

// What hearts know and do: presses, the member's liked dogs, other tabs and the live stream. likes.client.ts fetches it.

/** How long a heart rests after a press, ms (docs/product.md §13.1). */
const LIKE_COOLDOWN = 400
/** An answer later than this is none. */
const REQUEST_TIMEOUT_MS = 10_000
/** How long an answered press waits for its event, which never comes where nothing changed. */
const EVENT_WAIT_MS = 5000
/** Events that come close together are shown together. */
const EVENT_BATCH_MS = 50

/** Whose page this is; empty for a visitor's. */
const pageMember = document.body.dataset.member ?? ''
/** Who presses: empty where nobody is signed in any more, or somebody else is. */
let member = pageMember
const presses = new Map<string, Press>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** When this page learnt whether a dog is liked: an answer that was asked for earlier is older. */
const likedAt = new Map<string, number>()
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const allHearts = () => [...document.querySelectorAll<HTMLElement>('[data-like]')]
const dogIdOf = (button: HTMLElement) => button.dataset.like!
const renderedOf = (button: HTMLElement): RenderedHeart => ({
  liked: button.ariaPressed === 'true',
  likes: Number(button.dataset.likes),
})

interface StoredLikes {
  member: string
  liked: string[]
}

/** What this browser remembers. Storage may be closed or hold anything; likes work without. */
function readStoredLikes(): StoredLikes | null {
  try {
    const { member, liked }: StoredLikes = JSON.parse(localStorage.getItem(LIKED_KEY)!)
    return { member, liked: liked.map(String) }
  } catch {
    return null
  }
}

function storeLikes(): void {
  try {
    if (member) localStorage.setItem(LIKED_KEY, JSON.stringify({ member, liked: [...($hearts.get().liked ?? [])] }))
    else localStorage.removeItem(LIKED_KEY)
  } catch {
    // Nothing is lost but a moment.
  }
}

/** The liked dogs are these, but for hearts whose press is not over. */
function setLiked(ids: Iterable<string>): void {
  let liked: ReadonlySet<string> = new Set(ids)
  for (const [id, { wish }] of presses) liked = withOrWithout(liked, id, wish)
  $hearts.set({ ...$hearts.get(), liked })
}

function applyUpdates(changes: readonly (readonly [id: string, shown: HeartUpdate | null])[]): void {
  const hearts = $hearts.get()
  const at = performance.now()
  const counts = { ...hearts.counts }
  let { liked } = hearts
  for (const [id, shown] of changes) {
    if (!shown) continue
    counts[id] = { now: shown.likes, at }
    if (shown.liked === undefined) continue
    liked = withOrWithout(liked, id, shown.liked)
    likedAt.set(id, at)
  }
  $hearts.set({ ...hearts, liked, counts })
  if (liked !== hearts.liked) storeLikes()
}

function setResting(id: string, resting: boolean): void {
  const hearts = $hearts.get()
  $hearts.set({ ...hearts, resting: withOrWithout(hearts.resting, id, resting) })
}

/** Keeps the press as it stands now. */
function applyStep(id: string, { press, show: shown }: PressStep): readonly [string, HeartUpdate | null] {
  if (press) presses.set(id, press)
  else {
    presses.delete(id)
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return [id, shown]
}

/** Tells the rest of the page (likers.client.ts) who likes a dog now, or no longer does. */
function dispatchLiked(id: string, userId: string, liked: boolean): void {
  const likes = $hearts.get().counts[id]?.now
  if (likes !== undefined)
    window.dispatchEvent(new CustomEvent('perrario:liked', { detail: { id, likes, userId, liked } }))
}

async function sendLike(id: string, liked: boolean): Promise<LikeState | 401> {
  const response = await fetch(paths.api.dogLike(id), {
    method: liked ? 'PUT' : 'DELETE',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  if (response.status === 401) return 401
  if (!response.ok) throw new Error(`like answered ${response.status}`)
  return await response.json()
}

/** Shows the wish at once, then what the server says; back to what was where it says nothing (docs/product.md §13.1: logged only). */
export async function toggleLike(button: HTMLElement): Promise<void> {
  const id = dogIdOf(button)
  const before = heartState($hearts.get(), id, renderedOf(button))
  if (before.resting) return
  const feedback = import('./feedback.client.ts')
  if (!member) return (await feedback).promptLogin()
  const liked = !before.liked
  clearTimeout(timers.get(id))
  presses.set(id, beginPress(liked, presses.get(id)))
  applyUpdates([[id, { liked, likes: Math.max(0, before.likes + (liked ? 1 : -1)) }]])
  setResting(id, true)
  const rested = wait(LIKE_COOLDOWN)
  inBackground(feedback.then((shown) => (liked ? shown.showTongue() : shown.showRemoved())))
  const undo = () => {
    const press = presses.get(id)
    if (press) applyUpdates([applyStep(id, failPress(press, before))])
  }
  try {
    const said = await sendLike(id, liked)
    const press = presses.get(id)
    if (said === 401) {
      undo()
      clearMember()
      ;(await feedback).promptLogin()
    } else if (press) {
      timers.set(
        id,
        setTimeout(() => applyUpdates([applyStep(id, releasePress(presses.get(id)!))]), EVENT_WAIT_MS),
      )
      applyUpdates([applyStep(id, applyAnswer(press, said))])
      dispatchLiked(id, member, said.liked)
    }
  } catch (error) {
    undo()
    console.error('No se pudo guardar el like:', error)
  }
  await rested
  setResting(id, false)
}

/** An island paints its own hearts; these are the others. */
function paintHearts(): void {
  const hearts = $hearts.get()
  for (const button of allHearts()) {
    if (button.closest('astro-island')) continue
    const { liked, likes, resting } = heartState(hearts, dogIdOf(button), renderedOf(button))
    button.ariaPressed = String(liked)
    button.ariaDisabled = String(resting)
    button.querySelector('[data-like-count]')!.textContent = String(likes)
    button.querySelector('[data-like-word]')!.textContent = likes === 1 ? ' like' : ' likes'
  }
}

/** Asks what the member likes, and how these dogs stand. What was learnt since it was asked is newer than the answer. */
async function refreshLikes(ids: readonly string[] = []): Promise<void> {
  const asked = performance.now()
  const query = ids.length > 0 ? `?dogs=${ids.join()}` : ''
  const response = await fetch(paths.api.likes + query, { headers: { Accept: 'application/json' } })
  if (response.status === 401) return clearMember()
  if (!response.ok || !member) return
  const { liked, dogs = {} }: LikedAnswer = await response.json()
  const hearts = $hearts.get()
  const here = hearts.liked ?? new Set<string>()
  // A full answer does not tell of likes given before: of those the page knows as much.
  const now = new Set(liked.length < LIKED_MAX ? liked : [...liked, ...here])
  const counts = { ...hearts.counts }
  for (const [id, state] of Object.entries(dogs)) {
    if (state.liked) now.add(id)
    else now.delete(id)
    if (!presses.has(id) && !((counts[id]?.at ?? -1) > asked)) counts[id] = { now: state.likes, at: asked }
  }
  for (const [id, at] of likedAt)
    if (at > asked) {
      if (here.has(id)) now.add(id)
      else now.delete(id)
    }
  $hearts.set({ ...hearts, counts })
  setLiked(now)
  storeLikes()
}

/** Everything that the page shows, a handful of dogs at a time. */
async function refreshAllLikes(): Promise<void> {
  const ids = [...new Set(allHearts().map(dogIdOf))]
  for (let i = 0; i === 0 || i < ids.length; i += LIKE_STATES_MAX) await refreshLikes(ids.slice(i, i + LIKE_STATES_MAX))
  for (const id of ids) dispatchLiked(id, '', false)
}

/** Nobody is signed in here any more: no heart is anybody's, in no tab, and a press asks to sign in. */
function clearMember(): void {
  member = ''
  presses.clear()
  setLiked([])
  storeLikes()
}

/** Other tabs of this browser tell by storage who is signed in and what they like. */
function syncFromStorage(): void {
  const known = readStoredLikes()
  const isHere = known !== null && (pageMember === '' || known.member === pageMember)
  member = isHere ? known.member : ''
  setLiked(isHere ? known.liked : [])
}

let queuedEvents: LikeEvent[] = []

/** One at a time a busy hour would repaint every heart dozens of times a second. */
function receiveLikeEvent(event: LikeEvent): void {
  if (queuedEvents.push(event) > 1) return
  setTimeout(() => {
    const events = queuedEvents
    queuedEvents = []
    applyUpdates(
      events.map(({ dog_id: id, user_id, liked, likes }) =>
        applyStep(id, applyLikeUpdate(presses.get(id), { own: user_id === member, liked, likes })),
      ),
    )
    for (const event of events) dispatchLiked(event.dog_id, event.user_id, event.liked)
  }, EVENT_BATCH_MS)
}

/** A visitor's page, perhaps one the browser had kept from before: who is signed in now? */
async function fetchSession(): Promise<void> {
  const response = await fetch(paths.api.session, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const { user }: { user: { id: string } | null } = await response.json()
  if (!user) return clearMember()
  member = user.id
  setLiked(readStoredLikes()?.member === member ? readStoredLikes()!.liked : [])
  await refreshLikes()
}

$hearts.listen(paintHearts)
window.addEventListener('storage', ({ key }) => (key === LIKED_KEY || key === null) && syncFromStorage())
window.addEventListener('perrario:signed-out', clearMember)
window.addEventListener('perrario:listed', (event) => {
  refreshLikes((event as CustomEvent<string[]>).detail.slice(0, LIKE_STATES_MAX)).catch(() => {})
})
if (pageMember) {
  const known = readStoredLikes()
  const liked = new Set(known?.member === member ? known.liked : [])
  // The page knows its own dogs better than the browser remembers them.
  for (const button of allHearts())
    if (renderedOf(button).liked) liked.add(dogIdOf(button))
    else liked.delete(dogIdOf(button))
  setLiked(liked)
  if (known?.member !== member || allHearts().length > 0) refreshLikes().catch(() => {})
  inBackground(
    import('#features/live/live.client.ts').then(({ onLive }) => {
      onLive('like', receiveLikeEvent)
      onLive('resync', () => refreshAllLikes().catch(() => {}))
    }),
  )
} else fetchSession().catch(() => {})
