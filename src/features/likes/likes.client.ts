import { paths } from '#lib/paths.ts'
import type { LikeState } from './likes.ts'
import { $hearts, heartOf, having } from './likes.store.ts'

// Every `[data-like]` of the page: presses, what the member likes, and the hearts that no island draws.

/** How long a heart rests after a press, ms (spec.md §4). */
const LIKE_COOLDOWN = 400
/** An answer later than this is none. */
const PATIENCE = 10_000
/** The member's liked dogs as this browser last knew them, so that hearts need not wait for the network. */
const STORAGE_KEY = 'perrario-liked'

/** The member's id; empty for a visitor; undefined on pages that are the same for everyone, which have no hearts. */
const member = document.body.dataset.member
/** Dogs pressed on this page: what the server says about them was asked for by the press. */
const pressed = new Set<string>()
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Storage may be closed or hold anything; likes work without. */
function remembered(): string[] {
  try {
    const kept: { member: string; liked: string[] } = JSON.parse(localStorage.getItem(STORAGE_KEY)!)
    return kept.member === member ? kept.liked.map(String) : []
  } catch {
    return []
  }
}

function remember(): void {
  try {
    if (member) localStorage.setItem(STORAGE_KEY, JSON.stringify({ member, liked: [...$hearts.get().liked] }))
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing is lost but a moment.
  }
}

function setLiked(ids: Iterable<string>): void {
  $hearts.set({ ...$hearts.get(), liked: new Set(ids) })
}

function change(id: string, liked: boolean, count: { from: number; now: number }): void {
  const hearts = $hearts.get()
  $hearts.set({ ...hearts, liked: having(hearts.liked, id, liked), counts: { ...hearts.counts, [id]: count } })
  remember()
}

function rest(id: string, resting: boolean): void {
  const hearts = $hearts.get()
  $hearts.set({ ...hearts, resting: having(hearts.resting, id, resting) })
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

/** Shows the wish at once, then what the server says; back to what was where it says nothing (spec.md §8: logged only). */
async function toggle(id: string, from: number): Promise<void> {
  const before = heartOf($hearts.get(), id, from)
  if (before.resting) return
  const feedback = import('./feedback.client.ts')
  if (!member) return (await feedback).promptLogin()
  const liked = !before.liked
  const undo = () => change(id, before.liked, { from, now: before.likes })
  pressed.add(id)
  change(id, liked, { from, now: Math.max(0, before.likes + (liked ? 1 : -1)) })
  rest(id, true)
  const rested = wait(LIKE_COOLDOWN)
  void feedback.then((shown) => (liked ? shown.showTongue() : shown.showRemoved()), console.error)
  try {
    const answer = await send(id, liked)
    if (answer === 401) {
      undo()
      ;(await feedback).promptLogin()
    } else {
      change(id, answer.liked, { from, now: answer.likes })
      window.dispatchEvent(new CustomEvent('perrario:liked', { detail: { id, ...answer } }))
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
  for (const button of document.querySelectorAll<HTMLElement>('[data-like]')) {
    if (button.closest('astro-island')) continue
    const { liked, likes, resting } = heartOf(hearts, button.dataset.like!, Number(button.dataset.likes))
    button.setAttribute('aria-pressed', String(liked))
    button.setAttribute('aria-disabled', String(resting))
    button.querySelector('[data-like-count]')!.textContent = String(likes)
    button.querySelector('[data-like-word]')!.textContent = likes === 1 ? ' like' : ' likes'
  }
}

async function refresh(): Promise<void> {
  const response = await fetch(paths.api.likes, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const { liked }: { liked: string[] } = await response.json()
  // A press while this was on its way is newer than the answer.
  const here = $hearts.get().liked
  setLiked([...liked.filter((id) => !pressed.has(id)), ...[...pressed].filter((id) => here.has(id))])
  remember()
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-like]') : null
  if (button) void toggle(button.dataset.like!, Number(button.dataset.likes))
})

$hearts.listen(paint)
if (member) {
  setLiked(remembered())
  // Other tabs of this browser tell by storage.
  window.addEventListener('storage', ({ key }) => key === STORAGE_KEY && setLiked(remembered()))
  if (document.querySelector('[data-like]')) refresh().catch(() => {})
} else if (member === '') remember()
