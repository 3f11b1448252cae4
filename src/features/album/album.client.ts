// The album's script: htmx swaps the found breeds in place, and a slot's photos turn under the pointer or the finger.
// Without it every control is a link or a form.
import { htmx } from '#ui/htmx.client.ts'
import { announce } from '#ui/live-region.client.ts'

const SWIPE_THRESHOLD_PX = 24
/** Slower than this, opening a breed says that it is on its way, ms. */
const LOADING_NOTICE_DELAY_MS = 400

// Links that change only the album: mode, order, view, letters, page turns.
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-swap]')
  if (!link) return
  event.preventDefault()
  const place = link.closest('nav')?.id
  const label = link.getAttribute('aria-label') ?? link.textContent?.trim()
  void htmx
    .ajax('GET', link.href, { target: '#album', select: '#album', swap: 'outerHTML', push: link.href })
    .then(() => {
      // The link that was pressed has been replaced: the focus goes to the one that took its place.
      const links = document.querySelectorAll<HTMLAnchorElement>(`${place ? `#${place}` : '#album'} a[data-swap]`)
      const twin = [...links].find((a) => (a.getAttribute('aria-label') ?? a.textContent?.trim()) === label)
      ;(twin ?? links[0])?.focus({ preventScroll: true })
      if (link.dataset.swap === 'top')
        document.querySelector('#album-found')?.scrollIntoView({ block: 'start', behavior: 'smooth' })
    })
})

// How many were found stands in what is swapped, where nobody would hear it.
document.addEventListener('htmx:after:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { target: Element } }>).detail
  const found = ctx.target.id.startsWith('album') && document.querySelector('#album-found .found')
  if (found) announce(found.textContent)
})

/** Shows the photo `index` of a slot. */
function showPhoto(shot: Element, index: number) {
  const photos = shot.querySelectorAll<HTMLImageElement>('.pic')
  const at = Math.max(0, Math.min(photos.length - 1, index))
  photos.forEach((photo, i) => photo.toggleAttribute('data-on', i === at))
}
const shownPhotoIndex = (shot: Element) =>
  [...shot.querySelectorAll('.pic')].findIndex((p) => p.hasAttribute('data-on'))
const shotOf = (event: Event) =>
  event.target instanceof Element ? (event.target.closest('a.mini')?.querySelector('[data-flip]') ?? null) : null

// A mouse turns them by where it stands over the photo.
document.addEventListener('pointermove', (event) => {
  const shot = event.pointerType === 'mouse' ? shotOf(event) : null
  if (!shot) return
  const box = shot.getBoundingClientRect()
  const count = shot.querySelectorAll('.pic').length
  showPhoto(shot, Math.floor(((event.clientX - box.left) / box.width) * count))
})

// A finger swipes; the swipe must not open the breed.
let start: { x: number; shot: Element } | null = null
let swiped = false
document.addEventListener(
  'touchstart',
  (event) => {
    const shot = shotOf(event)
    swiped = false
    start = shot ? { x: event.touches[0]!.clientX, shot } : null
  },
  { passive: true },
)
document.addEventListener('touchend', (event) => {
  const way = start ? event.changedTouches[0]!.clientX - start.x : 0
  if (!start || Math.abs(way) < SWIPE_THRESHOLD_PX) return
  const count = start.shot.querySelectorAll('.pic').length
  showPhoto(start.shot, (shownPhotoIndex(start.shot) + (way < 0 ? 1 : -1) + count) % count)
  swiped = true
})
document.addEventListener(
  'click',
  (event) => {
    if (swiped && shotOf(event)) event.preventDefault()
    swiped = false
  },
  true,
)

// Arrow keys turn the photos of the slot in focus.
document.addEventListener('keydown', (event) => {
  const shot = event.key === 'ArrowRight' || event.key === 'ArrowLeft' ? shotOf(event) : null
  if (!shot) return
  event.preventDefault()
  showPhoto(shot, shownPhotoIndex(shot) + (event.key === 'ArrowRight' ? 1 : -1))
})

// A breed that takes its time to come: said once, taken back if the page is shown again (Back).
let waiting: HTMLElement | null = null
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a.mini, a.slot, a.lr')
  if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return
  setTimeout(() => {
    waiting = Object.assign(document.createElement('p'), {
      className: 'breed-wait',
      textContent: 'Cargando información de la raza...',
    })
    waiting.setAttribute('role', 'status')
    document.body.append(waiting)
  }, LOADING_NOTICE_DELAY_MS)
})
addEventListener('pageshow', () => waiting?.remove())
