import { dogQueue } from '#features/dogs/queue/send.client.ts'
import { sightingQueue } from '#features/sightings/queue/send.client.ts'
import { suggestFromNames } from '#features/places/places.ts'
import { CACHES, type MessageToWorker, QUEUE_CHANNEL, SYNC_TAG } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { respondWithPage, refreshPublicCopy, markPagesStale, notifyClient, clearPages } from './pages.client.ts'
import { unsubscribeDevice } from './push.client.ts'
import { changesSession, endsSession, routeOf } from './routes.ts'
import { type FetchEvent, scope } from './scope.client.ts'
import { receiveSharedPhotos } from './share-target.client.ts'
import { type CacheBounds, cacheFirst, staleWhileRevalidate, networkFirst } from './cache-strategies.client.ts'

// The service worker, built to /sw.js by @vite-pwa/astro (integrations/pwa.ts), which injects the build's precache manifest:
// files fetched at installation, the offline page first, and the files of the dog form, fetched when a page is idle. All
// have the build's version.
interface Piece {
  url: string
  revision: string
  isForm: boolean
}
declare const self: { __WB_MANIFEST: [Piece, ...Piece[]] }

const MB = 1_048_576
const CACHE_BOUNDS = {
  photo: { entries: 300, bytes: 25 * MB },
  piece: { entries: 200, bytes: Infinity },
  drawing: { entries: 300, bytes: 20 * MB },
  data: { entries: 60, bytes: Infinity },
} satisfies Record<string, CacheBounds>

const pieces = self.__WB_MANIFEST
const version = pieces[0].revision
const base = CACHES.base + version
const form = CACHES.form + version
const urlsOf = (ofForm: boolean) => pieces.filter(({ isForm }) => isForm === ofForm).map(({ url }) => url)

scope.addEventListener('install', (event) => {
  const fillBaseCache = async () => {
    const cache = await caches.open(base)
    // Bypasses the HTTP cache, so that all files are of this build.
    await cache.addAll(urlsOf(false).map((url) => new Request(url, { cache: 'no-cache', credentials: 'omit' })))
    await scope.skipWaiting()
  }
  event.waitUntil(fillBaseCache())
})

scope.addEventListener('activate', (event) => {
  const deleteOldCaches = async () => {
    const current = new Set<string>([base, form, ...Object.values(CACHES)])
    // Cached pages refer to the scripts of their build, so they are deleted with it.
    current.delete(CACHES.pages)
    const old = (await caches.keys()).filter((name) => name.startsWith('perrario-') && !current.has(name))
    await Promise.all(old.map((name) => caches.delete(name)))
    await scope.clients.claim()
  }
  event.waitUntil(deleteOldCaches())
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const route = routeOf(request, scope.location.origin)
  if (route !== 'untouched') return event.respondWith(respond(event, route))
  // Observed, but not handled.
  const isOurs = new URL(request.url).origin === scope.location.origin
  const isEnd = isOurs && endsSession(request)
  if (isEnd) event.waitUntil(Promise.all([unsubscribeDevice(), deleteMembersCaches()]))
  if (isEnd || (isOurs && changesSession(request.url))) event.waitUntil(clearPages())
  else if (isOurs && request.method !== 'GET' && request.method !== 'HEAD') event.waitUntil(markPagesStale())
})

/** What a member left on the device: places that they typed, and photos that another app shared with the form. */
const deleteMembersCaches = () => Promise.all([CACHES.data, CACHES.shared].map((name) => caches.delete(name)))

function respond(event: FetchEvent, route: Exclude<ReturnType<typeof routeOf>, 'untouched'>): Promise<Response> {
  const { request } = event
  if (route === 'page') return respondWithPage(event)
  if (route === 'share') return receiveSharedPhotos(request)
  if (route === 'photo') return cacheFirst(CACHES.photos, request, CACHE_BOUNDS.photo)
  if (route === 'piece') return cacheFirst(CACHES.assets, request, CACHE_BOUNDS.piece)
  if (route === 'data')
    return networkFirst(CACHES.data, request, CACHE_BOUNDS.data).catch(() => suggestZonesOffline(request))
  return staleWhileRevalidate(CACHES.drawings, request, CACHE_BOUNDS.drawing, (work) => event.waitUntil(work))
}

/** Suggests zones for the form without network. @throws where the request is not for zones, or none are cached */
async function suggestZonesOffline({ url }: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(url)
  const cached = pathname === paths.api.breedNames ? undefined : await caches.match(paths.zones)
  if (!cached) throw new TypeError('nothing is cached')
  const names: string[] = await cached.json()
  const places = suggestFromNames(names, searchParams.get('q') ?? '').map((name) => ({ name, kind: 'municipality' }))
  return Response.json({ places })
}

scope.addEventListener('message', (event) => {
  const message = event.data as MessageToWorker | null
  if (message?.type === 'hello') {
    event.waitUntil(notifyClient(event.source?.id ?? ''))
    if (message.mayFetch) event.waitUntil(prefetchForm())
  }
  if (message?.type === 'seen') event.waitUntil(cacheLoadedResources(message.page, message.pieces))
})

/** Background Sync sends the offline queues. If it fails, the browser retries for a while. */
scope.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendWaiting())
})

async function sendWaiting(): Promise<void> {
  const areSightingsSent = await sightingQueue.sendAll(() => {})
  const areDogsSent = await dogQueue.sendAll(() => {})
  // A worker's own requests do not pass its `fetch` listener.
  await markPagesStale()
  // Pages then show what was sent.
  new BroadcastChannel(QUEUE_CHANNEL).postMessage('sent')
  if (!areDogsSent || !areSightingsSent) throw new Error('something still waits for the network')
}

/** Prefetches the form's code and the breeds' names, so that a dog can be added offline. */
async function prefetchForm(): Promise<void> {
  const cache = await caches.open(form)
  const missing: string[] = []
  for (const url of urlsOf(true)) if (!(await caches.match(url))) missing.push(url)
  await cache.addAll(missing)
  await networkFirst(CACHES.data, new Request(paths.api.breedNames), CACHE_BOUNDS.data)
}

/** A worker cannot know the Accept header of `<img>`. All browsers with workers read WebP, but not all AVIF. */
const IMAGE_ACCEPT = 'image/webp,*/*;q=0.8'

/** Caches a page that loaded before any worker, and its resources. */
async function cacheLoadedResources(page: string, pieces: string[]): Promise<void> {
  await refreshPublicCopy(page).catch(() => undefined)
  for (const url of pieces) {
    const request = new Request(url, { headers: { Accept: IMAGE_ACCEPT } })
    const route = routeOf(request, scope.location.origin)
    const name = route === 'piece' ? CACHES.assets : route === 'photo' ? CACHES.photos : CACHES.drawings
    if (route === 'piece' || route === 'photo' || route === 'drawing')
      await cacheFirst(name, request, CACHE_BOUNDS[route]).catch(() => undefined)
  }
}
