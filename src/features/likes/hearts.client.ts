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
import { lacksLikes, readStoredLikes } from './stored-likes.client.ts'

// State and behaviour of like buttons («hearts»): presses, the member's liked dogs, other tabs and the live stream.
// likes.client.ts imports this module when it is needed.

/** How long a heart ignores presses after one, ms (docs/product.md §13.1). */
const LIKE_COOLDOWN_MS = 400
/** A request is aborted after this, ms. */
const REQUEST_TIMEOUT_MS = 10_000
/** How long an answered press waits for its event, ms. None comes where the request changed nothing. */
const EVENT_WAIT_MS = 5000
/** Events within this time are shown together, ms. */
const EVENT_BATCH_MS = 50

/** The member for whom the page was rendered; empty for a visitor's page. */
const pageMember = document.body.dataset.member ?? ''
/** The member whose presses are sent: empty once nobody is signed in any more, or another member is. */
let member = pageMember
const presses = new Map<string, Press>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** When this page learnt whether a dog is liked (performance.now()): answers to earlier requests are older. */
const likedAt = new Map<string, number>()
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const allHearts = () => [...document.querySelectorAll<HTMLElement>('[data-like]')]
const dogIdOf = (button: HTMLElement) => button.dataset.like!
const renderedOf = (button: HTMLElement): RenderedHeart => ({
  liked: button.ariaPressed === 'true',
  likes: Number(button.dataset.likes),
})

function storeLikes(): void {
  try {
    if (member) localStorage.setItem(LIKED_KEY, JSON.stringify({ member, liked: [...($hearts.get().liked ?? [])] }))
    else localStorage.removeItem(LIKED_KEY)
  } catch {
    // Without storage the next page fetches the likes instead.
  }
}

/** Sets the liked dogs. Unfinished presses keep what the member chose. */
function setLiked(ids: Iterable<string>): void {
  let liked: ReadonlySet<string> = new Set(ids)
  for (const [id, press] of presses) liked = withOrWithout(liked, id, press.isLikeIntended)
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

/** Stores the press after a step, or forgets a finished one. @returns what the heart shows next */
function applyStep(id: string, { press, show: shown }: PressStep): readonly [string, HeartUpdate | null] {
  if (press) presses.set(id, press)
  else {
    presses.delete(id)
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return [id, shown]
}

/** Dispatches an event for the rest of the page (likers.client.ts): a member likes a dog, or no longer does. */
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

/**
 * Likes or unlikes optimistically: shows the change at once, then the server's answer, and rolls back on failure
 * (docs/product.md §13.1: logged only).
 */
export async function toggleLike(button: HTMLElement): Promise<void> {
  const id = dogIdOf(button)
  const before = heartState($hearts.get(), id, renderedOf(button))
  if (before.resting) return
  const feedback = import('./feedback.client.ts')
  if (!member) return (await feedback).promptLogin(id)
  const liked = !before.liked
  clearTimeout(timers.get(id))
  presses.set(id, beginPress(liked, presses.get(id)))
  applyUpdates([[id, { liked, likes: Math.max(0, before.likes + (liked ? 1 : -1)) }]])
  setResting(id, true)
  const rested = delay(LIKE_COOLDOWN_MS)
  inBackground(feedback.then((shown) => (liked ? shown.showTongue() : shown.showRemoved())))
  const undo = () => {
    const press = presses.get(id)
    if (press) applyUpdates([applyStep(id, failPress(press, before))])
  }
  try {
    const answer = await sendLike(id, liked)
    const press = presses.get(id)
    if (answer === 401) {
      undo()
      clearMember()
      window.dispatchEvent(new Event('perrario:refused'))
      ;(await feedback).promptLogin(id)
    } else if (press) {
      timers.set(
        id,
        setTimeout(() => applyUpdates([applyStep(id, releasePress(presses.get(id)!))]), EVENT_WAIT_MS),
      )
      applyUpdates([applyStep(id, applyAnswer(press, answer))])
      dispatchLiked(id, member, answer.liked)
    }
  } catch (error) {
    undo()
    console.error('No se pudo guardar el like:', error)
  }
  await rested
  setResting(id, false)
}

/** Updates the hearts outside islands; an island renders its own. */
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

/** Fetches the member's liked dogs, and the like state of `ids`. */
export async function refreshLikes(ids: readonly string[] = []): Promise<void> {
  const requestedAt = performance.now()
  const query = ids.length > 0 ? `?dogs=${ids.join()}` : ''
  const response = await fetch(paths.api.likes + query, { headers: { Accept: 'application/json' } })
  if (response.status === 401) return clearMember()
  if (response.ok && member) receiveLikes(await response.json(), requestedAt)
}

/**
 * Shows an answer's likes. What the page learnt after the request wins over it.
 * @param requestedAt performance.now() when they were requested
 */
export function receiveLikes({ liked, dogs = {} }: LikedAnswer, requestedAt: number): void {
  const hearts = $hearts.get()
  const knownLiked = hearts.liked ?? new Set<string>()
  // An answer at the limit leaves out older likes: those that the page knows stay.
  const now = new Set(liked.length < LIKED_MAX ? liked : [...liked, ...knownLiked])
  const counts = { ...hearts.counts }
  for (const [id, state] of Object.entries(dogs)) {
    if (state.liked) now.add(id)
    else now.delete(id)
    if (!presses.has(id) && !((counts[id]?.at ?? -1) > requestedAt)) counts[id] = { now: state.likes, at: requestedAt }
  }
  for (const [id, at] of likedAt)
    if (at > requestedAt) {
      if (knownLiked.has(id)) now.add(id)
      else now.delete(id)
    }
  $hearts.set({ ...hearts, counts })
  setLiked(now)
  storeLikes()
}

/** Refreshes every heart of the page, LIKE_STATES_MAX dogs at a time. */
async function refreshAllLikes(): Promise<void> {
  const ids = [...new Set(allHearts().map(dogIdOf))]
  for (let i = 0; i === 0 || i < ids.length; i += LIKE_STATES_MAX) await refreshLikes(ids.slice(i, i + LIKE_STATES_MAX))
  for (const id of ids) dispatchLiked(id, '', false)
}

/** Clears the likes in all tabs after a sign-out. A press then opens the sign-in dialog. */
export function clearMember(): void {
  member = ''
  presses.clear()
  setLiked([])
  storeLikes()
}

/** Takes over the member and the likes that another tab has stored. */
function syncFromStorage(): void {
  const known = readStoredLikes()
  const isHere = known !== null && (pageMember === '' || known.member === pageMember)
  member = isHere ? known.member : ''
  setLiked(isHere ? known.liked : [])
}

let queuedEvents: LikeEvent[] = []

/** Collects events and applies them together: one by one, a busy hour would repaint every heart dozens of times a second. */
function receiveLikeEvent(event: LikeEvent): void {
  if (queuedEvents.push(event) > 1) return
  setTimeout(() => {
    const events = queuedEvents
    queuedEvents = []
    applyUpdates(
      events.map(({ dog_id: id, user_id, liked, likes }) =>
        applyStep(id, applyLikeUpdate(presses.get(id), { isOwn: member !== '' && user_id === member, liked, likes })),
      ),
    )
    for (const event of events) dispatchLiked(event.dog_id, event.user_id, event.liked)
  }, EVENT_BATCH_MS)
}

/** Fetches who is signed in now: a visitor's page may come from the browser's cache. */
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
/** Whether layouts/member/load-state.client.ts requests the member's likes. Read before the first press changes storage. */
export const areStoredLikesOutdated =
  pageMember !== '' && lacksLikes(readStoredLikes(), pageMember, allHearts().length > 0)

if (pageMember) {
  const known = readStoredLikes()
  const liked = new Set(known?.member === member ? known.liked : [])
  // For the dogs of the page, what the server rendered wins over storage.
  for (const button of allHearts())
    if (renderedOf(button).liked) liked.add(dogIdOf(button))
    else liked.delete(dogIdOf(button))
  setLiked(liked)
  inBackground(
    import('#features/live/live.client.ts').then(({ onLive }) => {
      onLive('like', receiveLikeEvent)
      onLive('resync', () => refreshAllLikes().catch(() => {}))
    }),
  )
} else fetchSession().catch(() => {})
