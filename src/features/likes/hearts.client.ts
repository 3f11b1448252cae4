import type { LikeEvent } from '#features/live/live.ts'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { LIKED_ASKED_MAX, LIKED_KEY, LIKED_MAX, type LikedAnswer, type LikeState } from './likes.ts'
import { $hearts, having, heartOf, type Rendered } from './likes.store.ts'
import { answer, begin, fail, type Next, type Press, release, type Shown, tell } from './presses.ts'

// What hearts know and do: presses, the member's liked dogs, other tabs and the live stream. likes.client.ts fetches it.

/** How long a heart rests after a press, ms (docs/product.md §13.1). */
const LIKE_COOLDOWN = 400
/** An answer later than this is none. */
const PATIENCE = 10_000
/** How long an answered press waits for its event, which never comes where nothing changed. */
const GRACE = 5000
/** Events that come close together are shown together. */
const TOGETHER = 50

/** Whose page this is; empty for a visitor's. */
const pageMember = document.body.dataset.member ?? ''
/** Who presses: empty where nobody is signed in any more, or somebody else is. */
let member = pageMember
const presses = new Map<string, Press>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** When this page learnt whether a dog is liked: an answer that was asked for earlier is older. */
const likedAt = new Map<string, number>()
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const all = () => [...document.querySelectorAll<HTMLElement>('[data-like]')]
const idOf = (button: HTMLElement) => button.dataset.like!
const renderedOf = (button: HTMLElement): Rendered => ({
  liked: button.ariaPressed === 'true',
  likes: Number(button.dataset.likes),
})

interface Kept {
  member: string
  liked: string[]
}

/** What this browser remembers. Storage may be closed or hold anything; likes work without. */
function kept(): Kept | null {
  try {
    const { member, liked }: Kept = JSON.parse(localStorage.getItem(LIKED_KEY)!)
    return { member, liked: liked.map(String) }
  } catch {
    return null
  }
}

function remember(): void {
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
  for (const [id, { wish }] of presses) liked = having(liked, id, wish)
  $hearts.set({ ...$hearts.get(), liked })
}

function show(changes: readonly (readonly [id: string, shown: Shown | null])[]): void {
  const hearts = $hearts.get()
  const at = performance.now()
  const counts = { ...hearts.counts }
  let { liked } = hearts
  for (const [id, shown] of changes) {
    if (!shown) continue
    counts[id] = { now: shown.likes, at }
    if (shown.liked === undefined) continue
    liked = having(liked, id, shown.liked)
    likedAt.set(id, at)
  }
  $hearts.set({ ...hearts, liked, counts })
  if (liked !== hearts.liked) remember()
}

function rest(id: string, resting: boolean): void {
  const hearts = $hearts.get()
  $hearts.set({ ...hearts, resting: having(hearts.resting, id, resting) })
}

/** Keeps the press as it stands now. */
function settle(id: string, { press, show: shown }: Next): readonly [string, Shown | null] {
  if (press) presses.set(id, press)
  else {
    presses.delete(id)
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return [id, shown]
}

/** Tells the rest of the page (likers.client.ts) who likes a dog now, or no longer does. */
function announce(id: string, userId: string, liked: boolean): void {
  const likes = $hearts.get().counts[id]?.now
  if (likes !== undefined)
    window.dispatchEvent(new CustomEvent('perrario:liked', { detail: { id, likes, userId, liked } }))
}

async function send(id: string, liked: boolean): Promise<LikeState | 401> {
  const response = await fetch(paths.api.dogLike(id), {
    method: liked ? 'PUT' : 'DELETE',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(PATIENCE),
  })
  if (response.status === 401) return 401
  if (!response.ok) throw new Error(`like answered ${response.status}`)
  return await response.json()
}

/** Shows the wish at once, then what the server says; back to what was where it says nothing (docs/product.md §13.1: logged only). */
export async function toggle(button: HTMLElement): Promise<void> {
  const id = idOf(button)
  const before = heartOf($hearts.get(), id, renderedOf(button))
  if (before.resting) return
  const feedback = import('./feedback.client.ts')
  if (!member) return (await feedback).promptLogin()
  const liked = !before.liked
  clearTimeout(timers.get(id))
  presses.set(id, begin(liked, presses.get(id)))
  show([[id, { liked, likes: Math.max(0, before.likes + (liked ? 1 : -1)) }]])
  rest(id, true)
  const rested = wait(LIKE_COOLDOWN)
  inBackground(feedback.then((shown) => (liked ? shown.showTongue() : shown.showRemoved())))
  const undo = () => {
    const press = presses.get(id)
    if (press) show([settle(id, fail(press, before))])
  }
  try {
    const said = await send(id, liked)
    const press = presses.get(id)
    if (said === 401) {
      undo()
      signOut()
      ;(await feedback).promptLogin()
    } else if (press) {
      timers.set(
        id,
        setTimeout(() => show([settle(id, release(presses.get(id)!))]), GRACE),
      )
      show([settle(id, answer(press, said))])
      announce(id, member, said.liked)
    }
  } catch (error) {
    undo()
    console.error('No se pudo guardar el like:', error)
  }
  await rested
  rest(id, false)
}

/** An island paints its own hearts; these are the others. */
function paint(): void {
  const hearts = $hearts.get()
  for (const button of all()) {
    if (button.closest('astro-island')) continue
    const { liked, likes, resting } = heartOf(hearts, idOf(button), renderedOf(button))
    button.ariaPressed = String(liked)
    button.ariaDisabled = String(resting)
    button.querySelector('[data-like-count]')!.textContent = String(likes)
    button.querySelector('[data-like-word]')!.textContent = likes === 1 ? ' like' : ' likes'
  }
}

/** Asks what the member likes, and how these dogs stand. What was learnt since it was asked is newer than the answer. */
async function refresh(ids: readonly string[] = []): Promise<void> {
  const asked = performance.now()
  const query = ids.length > 0 ? `?dogs=${ids.join()}` : ''
  const response = await fetch(paths.api.likes + query, { headers: { Accept: 'application/json' } })
  if (response.status === 401) return signOut()
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
  remember()
}

/** Everything that the page shows, a handful of dogs at a time. */
async function refreshAll(): Promise<void> {
  const ids = [...new Set(all().map(idOf))]
  for (let i = 0; i === 0 || i < ids.length; i += LIKED_ASKED_MAX) await refresh(ids.slice(i, i + LIKED_ASKED_MAX))
  for (const id of ids) announce(id, '', false)
}

/** Nobody is signed in here any more: no heart is anybody's, in no tab, and a press asks to sign in. */
function signOut(): void {
  member = ''
  presses.clear()
  setLiked([])
  remember()
}

/** Other tabs of this browser tell by storage who is signed in and what they like. */
function adopt(): void {
  const known = kept()
  const isHere = known !== null && (pageMember === '' || known.member === pageMember)
  member = isHere ? known.member : ''
  setLiked(isHere ? known.liked : [])
}

let heard: LikeEvent[] = []

/** One at a time a busy hour would repaint every heart dozens of times a second. */
function hear(event: LikeEvent): void {
  if (heard.push(event) > 1) return
  setTimeout(() => {
    const events = heard
    heard = []
    show(
      events.map(({ dog_id: id, user_id, liked, likes }) =>
        settle(id, tell(presses.get(id), { own: user_id === member, liked, likes })),
      ),
    )
    for (const event of events) announce(event.dog_id, event.user_id, event.liked)
  }, TOGETHER)
}

/** A visitor's page, perhaps one the browser had kept from before: who is signed in now? */
async function askWho(): Promise<void> {
  const response = await fetch(paths.api.session, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const { user }: { user: { id: string } | null } = await response.json()
  if (!user) return signOut()
  member = user.id
  setLiked(kept()?.member === member ? kept()!.liked : [])
  await refresh()
}

$hearts.listen(paint)
window.addEventListener('storage', ({ key }) => (key === LIKED_KEY || key === null) && adopt())
window.addEventListener('perrario:signed-out', signOut)
window.addEventListener('perrario:listed', (event) => {
  refresh((event as CustomEvent<string[]>).detail.slice(0, LIKED_ASKED_MAX)).catch(() => {})
})
if (pageMember) {
  const known = kept()
  const liked = new Set(known?.member === member ? known.liked : [])
  // The page knows its own dogs better than the browser remembers them.
  for (const button of all())
    if (renderedOf(button).liked) liked.add(idOf(button))
    else liked.delete(idOf(button))
  setLiked(liked)
  if (known?.member !== member || all().length > 0) refresh().catch(() => {})
  inBackground(
    import('#features/live/live.client.ts').then(({ onLive }) => {
      onLive('like', hear)
      onLive('resync', () => refreshAll().catch(() => {}))
    }),
  )
} else askWho().catch(() => {})
