import { madridDay } from '#lib/dates.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { CACHES, STORED_AT_HEADER, SESSION_HEADER, type MessageToPage } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { isCacheable } from './routes.ts'
import { type FetchEvent, scope } from './scope.client.ts'

// Pages. Only responses without a session are cached (docs/product.md §20.3). A visitor gets the cached page at once while it
// is revalidated; a member gets the network's, and offline the visitors' version.

const MAX_PAGES = 60
/** How long the network may take before the cached page is shown (`cached`), or without one the offline page (`none`), ms. */
const TIMEOUTS_MS = { cached: 3000, none: 15_000 }
/** A member's visit refreshes the public copy of a page once it is older, ms. */
const COPY_MAX_AGE_MS = 3_600_000

/** A proxy's answers while the server behind it is down. Our own server sends no page with them. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 504])

/** An entry of the pages' cache: since when the user has been a visitor and nothing was written. Older pages are stale. */
const VISITOR_KEY = '/.visitante'

/** Increased by every change of the session or of data: responses to earlier requests are shown, but not cached. */
let epoch = 0

const openPages = () => caches.open(CACHES.pages)

/** Deletes all cached pages, after a sign-in or sign-out. */
export async function clearPages(): Promise<void> {
  epoch++
  await caches.delete(CACHES.pages)
}

/** Marks all cached pages as stale, after something was written: they are then shown only without network. */
export async function markPagesStale(): Promise<void> {
  epoch++
  await (await openPages()).delete(VISITOR_KEY)
}

/** The response to a navigation. */
export async function respondWithPage(event: FetchEvent): Promise<Response> {
  const { request } = event
  const cache = await openPages()
  const cached = await cache.match(request)
  const network = fetchFromNetwork(event)
  event.waitUntil(network.catch(() => undefined))
  const isReload = request.cache === 'reload' || request.cache === 'no-cache'
  const clientId = event.resultingClientId
  if (cached && !isReload && (await isFreshForVisitor(cache, cached))) {
    const revalidation = withTimeout(TIMEOUTS_MS.cached, network)
    event.waitUntil(revalidation.then((fresh) => (fresh ? undefined : reportUnreachable(clientId))))
    return cached
  }
  const form = cached ? undefined : await sightingForm(request.url)
  const fresh = await withTimeout((cached || form) && !isReload ? TIMEOUTS_MS.cached : TIMEOUTS_MS.none, network)
  if (fresh) return fresh
  if (!cached) return form ?? offlinePage()
  // Not after a reload: on a network this slow the page would reload for ever.
  if (!isReload) shownTooEarly.add(clientId)
  // Not awaited: `clients.get` waits until the client has its page.
  event.waitUntil(reportUnreachable(clientId))
  return cached
}

/** Clients that show a cached page because of a timeout. If the network then answers for a member, they are outdated. */
const shownTooEarly = new Set<string>()

/** Whether a cached page may be shown at once: to a visitor, with nothing written since, and on the same day («hoy»). */
async function isFreshForVisitor(cache: Cache, cached: Response): Promise<boolean> {
  const since = Number((await cache.match(VISITOR_KEY))?.headers.get(STORED_AT_HEADER) ?? Infinity)
  const cachedTime = cachedAt(cached)
  return cachedTime >= since && madridDay(cachedTime) === madridDay(Date.now())
}

const cachedAt = (response: Response): number => Number(response.headers.get(STORED_AT_HEADER) ?? 0)

async function fetchFromNetwork(event: FetchEvent): Promise<Response> {
  const { request } = event
  const startEpoch = epoch
  const response = await fetch(request)
  if (GATEWAY_ERRORS.has(response.status)) throw new TypeError('the proxy does not reach the server')
  event.waitUntil(handleResponse(request.url, response.clone(), startEpoch, event.resultingClientId))
  return response
}

/** Caches, copies or deletes a page after the network's response. @param clientId the client that may show an older version */
async function handleResponse(url: string, response: Response, startEpoch: number, clientId: string): Promise<void> {
  unreachableClients.delete(clientId)
  const cache = await openPages()
  if (response.headers.get(SESSION_HEADER) === 'member') {
    // A sign-in that the worker did not observe: the cached page shown at once was a visitor's.
    const isUnnoticed = (await cache.match(VISITOR_KEY)) !== undefined
    if (isUnnoticed) await clearPages()
    if (isUnnoticed || shownTooEarly.delete(clientId)) {
      outdatedClients.add(clientId)
      await notifyClient(clientId)
    }
    if (!isUnnoticed && isHtml(response) && !isNoStore(response)) await refreshPublicCopy(url)
    return
  }
  // The form with shared photos is not a page to return to.
  if (startEpoch !== epoch || new URL(url).searchParams.has('compartido')) return
  if (!isPublic(response)) {
    // The page has moved, was deleted or is private. A failing or busy server says nothing about the page.
    if (response.status < 500 && response.status !== 408 && response.status !== 429) await cache.delete(url)
    return
  }
  const isVisitor = response.headers.get(SESSION_HEADER) === 'none'
  if (isVisitor && !(await cache.match(VISITOR_KEY)))
    await cache.put(VISITOR_KEY, new Response(null, { headers: timestampHeader() }))
  await storePage(url, response)
}

/** Clients that show a visitor's page to a member, and those that show a cached page since the server did not answer. */
const outdatedClients = new Set<string>()
const unreachableClients = new Set<string>()

function reportUnreachable(clientId: string): Promise<void> {
  unreachableClients.add(clientId)
  return notifyClient(clientId)
}

/** Tells a client what concerns its page. Called again once the client listens. */
export async function notifyClient(clientId: string): Promise<void> {
  const type = outdatedClients.has(clientId) ? 'outdated' : unreachableClients.has(clientId) ? 'unreachable' : undefined
  if (!type) return
  const page = await scope.clients.get(clientId)
  page?.postMessage({ type } satisfies MessageToPage)
}

const timestampHeader = () => ({ [STORED_AT_HEADER]: String(Date.now()) })
const isHtml = (response: Response) =>
  response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('text/html')
/** Members' pages are all `private`. With `no-store`, there is no visitors' version. */
const isNoStore = (response: Response) => /no-store/.test(response.headers.get('cache-control') ?? '')
const isPage = (response: Response) => isHtml(response) && isCacheable(response.headers)
const isPublic = (response: Response) => isPage(response) && response.headers.get(SESSION_HEADER) !== 'member'

/** Caches the visitors' version of a page for offline use. */
export async function refreshPublicCopy(url: string): Promise<void> {
  const cached = await (await openPages()).match(url)
  if (cached && Date.now() - cachedAt(cached) < COPY_MAX_AGE_MS) return
  const startEpoch = epoch
  const response = await fetch(url, { credentials: 'omit', headers: { Accept: 'text/html' } })
  if (!response.redirected && isPublic(response) && startEpoch === epoch) await storePage(url, response)
}

async function storePage(url: string, response: Response): Promise<void> {
  try {
    const cache = await openPages()
    const headers = new Headers(response.headers)
    const now = String(Date.now())
    headers.set(STORED_AT_HEADER, now)
    headers.delete('Content-Length')
    // The page can tell that it is a copy (lib/offline.ts, `pageStoredAt`).
    const html = (await response.text()).replace(/<html\b/, `<html data-cached="${now}"`)
    const copy = new Response(html, { headers })
    // Taken out first, so that the order of the entries is that of the visits.
    await cache.delete(url)
    await cache.put(url, copy)
    const pages = (await cache.keys()).filter((key) => new URL(key.url).pathname !== VISITOR_KEY)
    await Promise.all(pages.slice(0, Math.max(0, pages.length - MAX_PAGES)).map((key) => cache.delete(key)))
  } catch {
    // The storage is full, or the response was interrupted: the page is not available offline.
  }
}

/** For the address of a lost dog's form the one that works without network; it is the same for every dog. */
const sightingForm = (url: string): Promise<Response | undefined> =>
  SIGHTING_FORM_PATTERN.test(new URL(url).pathname)
    ? caches.match(lostPaths.offlineSighting)
    : Promise.resolve(undefined)
const SIGHTING_FORM_PATTERN = new RegExp(`^${lostPaths.sightingForm('[0-9a-f-]{36}')}/?$`)

/** The offline page, cached at installation. */
export async function offlinePage(): Promise<Response> {
  return (await caches.match(paths.offline)) ?? Response.error()
}

/** The response, or undefined where the network fails or takes longer than `ms`. */
function withTimeout(ms: number, network: Promise<Response>): Promise<Response | undefined> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, ms))
  return Promise.race([network.catch(() => undefined), timeout])
}
