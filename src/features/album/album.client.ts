// The album's script: htmx swaps the breeds in place, and pointer, swipe and arrow keys flip through a slot's photos.
// Without it every control is a link or a form.
import { findClicked } from '#lib/plain-click.ts'
import { htmx } from '#ui/htmx.client.ts'
import { announce } from '#ui/live-region.client.ts'

const SWIPE_THRESHOLD_PX = 24
/** Opening a breed shows a loading notice after this. */
const LOADING_NOTICE_DELAY_MS = 400

// Links that change only the album: mode, order, view, letters, pages.
document.addEventListener('click', (event) => {
  const link = findClicked(event, 'a[data-swap]')
  if (!link) return
  event.preventDefault()
  const navId = link.closest('nav')?.id
  // Not by its text, which a browser may have translated.
  const nameOf = (a: HTMLAnchorElement) => a.getAttribute('aria-label') ?? a.href
  const name = nameOf(link)
  const isUnfolded = document.querySelector<HTMLDetailsElement>('#album .fold')?.open
  void htmx
    .ajax('GET', link.href, { target: '#album', select: '#album', swap: 'outerHTML', push: link.href })
    .then(() => {
      document.querySelector('#album .fold')?.toggleAttribute('open', isUnfolded)
      // The swap replaced the pressed link: the focus moves to the new one.
      const links = document.querySelectorAll<HTMLAnchorElement>(`${navId ? `#${navId}` : '#album'} a[data-swap]`)
      const replacement = [...links].find((a) => nameOf(a) === name)
      ;(replacement ?? links[0])?.focus({ preventScroll: true })
      if (link.dataset.swap === 'top')
        document.querySelector('#album-found')?.scrollIntoView({ block: 'start', behavior: 'smooth' })
    })
})

let scrolledTo = 0
document.addEventListener('htmx:before:swap', () => {
  scrolledTo = scrollY
})
// The swapped content holds the number of results, which is no live region: it is announced.
document.addEventListener('htmx:after:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { target: Element } }>).detail
  // WebKit lays out what a container query styles as if it were empty first, and scrolls to the top.
  if (scrollY !== scrolledTo) scrollTo({ top: scrolledTo, behavior: 'instant' })
  const found = ctx.target.id.startsWith('album') && document.querySelector('#album-found .found')
  if (found) announce(found.textContent)
})

/** Shows the photo `index` of a slot. */
function showPhoto(shot: Element, index: number) {
  const photos = shot.querySelectorAll<HTMLImageElement>('.pic')
  const shown = Math.max(0, Math.min(photos.length - 1, index))
  photos.forEach((photo, i) => photo.toggleAttribute('data-on', i === shown))
}
const shownPhotoIndex = (shot: Element) =>
  [...shot.querySelectorAll('.pic')].findIndex((p) => p.hasAttribute('data-on'))
const shotOf = (event: Event) =>
  event.target instanceof Element ? (event.target.closest('a.mini')?.querySelector('[data-flip]') ?? null) : null

// A mouse selects the photo by its horizontal position.
document.addEventListener('pointermove', (event) => {
  const shot = event.pointerType === 'mouse' ? shotOf(event) : null
  if (!shot) return
  const box = shot.getBoundingClientRect()
  const count = shot.querySelectorAll('.pic').length
  showPhoto(shot, Math.floor(((event.clientX - box.left) / box.width) * count))
})

// A swipe turns to the next photo and must not open the breed.
let touchStart: { x: number; shot: Element } | null = null
let hasSwiped = false
document.addEventListener(
  'touchstart',
  (event) => {
    const shot = shotOf(event)
    hasSwiped = false
    touchStart = shot ? { x: event.touches[0]!.clientX, shot } : null
  },
  { passive: true },
)
document.addEventListener('touchend', (event) => {
  const distance = touchStart ? event.changedTouches[0]!.clientX - touchStart.x : 0
  if (!touchStart || Math.abs(distance) < SWIPE_THRESHOLD_PX) return
  const { shot } = touchStart
  const count = shot.querySelectorAll('.pic').length
  showPhoto(shot, (shownPhotoIndex(shot) + (distance < 0 ? 1 : -1) + count) % count)
  hasSwiped = true
})
document.addEventListener(
  'click',
  (event) => {
    if (hasSwiped && shotOf(event)) event.preventDefault()
    hasSwiped = false
  },
  true,
)

// Arrow keys flip through the photos of the focused slot.
document.addEventListener('keydown', (event) => {
  const shot = event.key === 'ArrowRight' || event.key === 'ArrowLeft' ? shotOf(event) : null
  if (!shot) return
  event.preventDefault()
  showPhoto(shot, shownPhotoIndex(shot) + (event.key === 'ArrowRight' ? 1 : -1))
})

// A slow breed page shows a loading notice, removed when the page is shown again (Back).
let loadingNotice: HTMLElement | null = null
document.addEventListener('click', (event) => {
  if (!findClicked(event, 'a.mini, a.slot, a.lr')) return
  setTimeout(() => {
    loadingNotice = Object.assign(document.createElement('p'), {
      className: 'breed-wait',
      textContent: 'Cargando información de la raza...',
    })
    loadingNotice.setAttribute('role', 'status')
    document.body.append(loadingNotice)
  }, LOADING_NOTICE_DELAY_MS)
})
addEventListener('pageshow', () => loadingNotice?.remove())
