import { inBackground } from '#lib/background.client.ts'
import {
  type MessageToPage,
  type MessageToWorker,
  pageStoredAt,
  QUEUE_HINT,
  SIGHTING_QUEUE_HINT,
} from '#lib/offline.ts'
import { hasUnsavedInput } from '#ui/unsaved-input.ts'
import { isReturning } from '#lib/visits.client.ts'
import { isIosSafari } from './install.ts'

// The page's side of the service worker, which layouts/pwa.client.ts registers: reloads the page when a new version has taken
// over (docs/product.md §20.2), but never over unsaved input, and has the worker prefetch what the form needs.

/** How often a page that is to reload checks whether its input was saved, ms. */
const SAVE_POLL_MS = 500
/** How often a page that stays open checks for a new version, ms. */
const UPDATE_CHECK_MS = 3_600_000

/** Reloads this tab at once, or once its input is saved. */
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

/** The resources that this page loaded before a worker could cache them. */
const loadedResources = (): MessageToWorker => ({
  type: 'seen',
  page: location.href,
  pieces: performance.getEntriesByType('resource').map((entry) => entry.name),
})

/** @param isServed whether a worker controlled the page when it loaded, before this code ran */
export async function listenToWorker(isServed: boolean): Promise<void> {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || !serviceWorker) return
  let isNew = !isServed
  const onControllerChange = () => {
    // The first worker ever brings no new version of the page.
    if (!isNew) return reloadPage()
    isNew = false
    postToWorker(serviceWorker.controller, loadedResources())
  }
  serviceWorker.addEventListener('controllerchange', onControllerChange)
  if (isNew && serviceWorker.controller) onControllerChange()
  serviceWorker.addEventListener('message', (event: MessageEvent<MessageToPage>) => {
    const { type } = event.data
    if (type === 'unreachable') return inBackground(announceCachedPage())
    if (type === 'retired') event.ports[0]?.postMessage('heard')
    reloadPage()
  })
  // Messages are queued until this call where listeners are added late.
  serviceWorker.startMessages()
  const registration = await serviceWorker.ready
  const { active } = registration
  const { saveData } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {}
  postToWorker(active, { type: 'hello', mayFetch: !saveData })
  let checkedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - checkedAt < UPDATE_CHECK_MS) return
    checkedAt = Date.now()
    registration.update().catch(() => {})
  })
}

/** Shows on a cached page that it is a copy, while the server cannot be reached. */
async function announceCachedPage(): Promise<void> {
  const since = pageStoredAt()
  if (since === undefined) return
  const { showCachedNotice } = await import('./cached-notice.client.ts')
  showCachedNotice(since)
}
if (!navigator.onLine) inBackground(announceCachedPage())
addEventListener('offline', () => inBackground(announceCachedPage()))

/** The panels of what waits on this device. Their code loads only where something does. */
const PANELS = {
  [QUEUE_HINT]: () => import('#features/dogs/queue/panel.client.ts'),
  [SIGHTING_QUEUE_HINT]: () => import('#features/sightings/queue/panel.client.ts'),
}
for (const [name, load] of Object.entries(PANELS)) {
  const open = () => inBackground(load())
  try {
    if (localStorage.getItem(name) !== null) open()
  } catch {
    // The queue's own event opens it.
  }
  addEventListener('perrario:queued', (event) => (event as CustomEvent<string>).detail === name && open())
  // Another tab has queued something.
  addEventListener('storage', ({ key, newValue }) => key === name && newValue !== null && open())
}

isReturning()
if (isIosSafari(navigator.userAgent, navigator.maxTouchPoints))
  inBackground(import('./install.client.ts').then(({ showInstallSteps }) => showInstallSteps()))
