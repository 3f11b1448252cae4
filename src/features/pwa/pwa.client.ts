import { inBackground } from '#lib/background.client.ts'
import { pageStoredAt, LAST_MEMBER_KEY, type MessageToPage, type MessageToWorker, QUEUE_HINT } from '#lib/offline.ts'
import { hasUnsavedInput } from '#ui/unsaved-input.ts'
import { isIosSafari } from './install.ts'

// The page's side of the service worker, which layouts/pwa.client.ts registers: loads the page anew when a new version took
// over (docs/product.md §20.2), but never over unsaved input, and has the worker fetch ahead what the form needs.

/** How often a page that waits for a save looks whether it was saved, ms. */
const SAVE_POLL_MS = 500
/** How often a page that stays open asks for a new version, ms. */
const UPDATE_CHECK_MS = 3_600_000

/** Each tab decides for itself: at once, or after the save. */
function reloadOnceSaved(): void {
  if (!hasUnsavedInput()) return location.reload()
  const timer = setInterval(() => {
    if (hasUnsavedInput()) return
    clearInterval(timer)
    location.reload()
  }, SAVE_POLL_MS)
}

let isReloading = false
function reloadPage(): void {
  if (!isReloading) reloadOnceSaved()
  isReloading = true
}

const postToWorker = (worker: ServiceWorker | null, message: MessageToWorker) => worker?.postMessage(message)

/** What this page loaded before there was a worker to keep it. */
const loadedResources = (): MessageToWorker => ({
  type: 'seen',
  page: location.href,
  pieces: performance.getEntriesByType('resource').map((entry) => entry.name),
})

/** @param isServed whether a worker served the page when it had loaded, before this code came */
export async function listenToWorker(isServed: boolean): Promise<void> {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || !serviceWorker) return
  let isNew = !isServed
  const meet = () => {
    // The very first worker brings no new version of what the page shows.
    if (!isNew) return reloadPage()
    isNew = false
    postToWorker(serviceWorker.controller, loadedResources())
  }
  serviceWorker.addEventListener('controllerchange', meet)
  if (isNew && serviceWorker.controller) meet()
  serviceWorker.addEventListener('message', (event: MessageEvent<MessageToPage>) => {
    if (event.data.type === 'retired') event.ports[0]?.postMessage('heard')
    reloadPage()
  })
  // Messages wait for this where listeners are added late.
  serviceWorker.startMessages()
  const registration = await serviceWorker.ready
  const { active } = registration
  const { saveData } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {}
  postToWorker(active, { type: 'hello', mayFetch: !saveData })
  let asked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < UPDATE_CHECK_MS) return
    asked = Date.now()
    registration.update().catch(() => {})
  })
}

/** Says of a kept page what it is, as long as there is no network. */
async function announceCachedPage(): Promise<void> {
  const since = pageStoredAt()
  if (since === undefined || navigator.onLine) return
  const { showCachedNotice } = await import('./cached-notice.client.ts')
  showCachedNotice(since)
}
inBackground(announceCachedPage())
addEventListener('offline', () => inBackground(announceCachedPage()))

// A page that the server made just now for a visitor: nobody is signed in here.
if (document.body.dataset.member === '' && pageStoredAt() === undefined)
  try {
    localStorage.removeItem(LAST_MEMBER_KEY)
  } catch {
    // Nothing was remembered.
  }

/** Dogs that wait to be sent; their code comes only where there are some. */
const openQueue = () => inBackground(import('#features/dogs/queue/panel.client.ts'))
const hasQueue = () => {
  try {
    return localStorage.getItem(QUEUE_HINT) !== null
  } catch {
    return false
  }
}
if (hasQueue()) openQueue()
addEventListener('perrario:queued', openQueue, { once: true })
// Another tab queued one.
addEventListener('storage', ({ key, newValue }) => {
  if (key === QUEUE_HINT && newValue !== null) openQueue()
})

if (isIosSafari(navigator.userAgent, navigator.maxTouchPoints))
  inBackground(import('./install.client.ts').then(({ showInstallSteps }) => showInstallSteps()))
