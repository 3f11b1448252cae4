import { madridDay } from '#lib/dates.ts'
import { CACHES, STORED_AT_HEADER, SESSION_HEADER, type MessageToPage } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { isCacheable } from './routes.ts'
import { type FetchEvent, scope } from './scope.client.ts'

// Pages. Only answers made without a session are kept (docs/product.md §20.3). A visitor gets the kept page at once and a fresh
// one is fetched meanwhile; a member gets the network's, and without network what a visitor would see.

const MAX_PAGES = 60
/** How long the network may take before a kept page is shown instead, and before the offline page is, ms. */
const TIMEOUTS_MS = { kept: 3000, none: 15_000 }
/** A member's visit renews the public copy of a page this often, ms. */
const COPY_MAX_AGE_MS = 3_600_000

/** An entry of the pages' cache that says since when whoever sits here is known to be a visitor, and what they saw true. */
const VISITOR_KEY = '/.visitante'

/** Answers of the network that were on their way when something changed are shown, but not kept. */
let epoch = 0

const openPages = () => caches.open(CACHES.pages)

/** Somebody signed in or out. */
export async function clearPages(): Promise<void> {
  epoch++
  await caches.delete(CACHES.pages)
}

/** Something was written: kept pages may be older than that, and are shown only where there is no network. */
export async function markPagesStale(): Promise<void> {
  epoch++
  await (await openPages()).delete(VISITOR_KEY)
}

/** The page of a navigation. */
export async function respondWithPage(event: FetchEvent): Promise<Response> {
  const { request } = event
  const cache = await openPages()
  const kept = await cache.match(request)
  const network = fetchFromNetwork(event)
  event.waitUntil(network.catch(() => undefined))
  const isReload = request.cache === 'reload' || request.cache === 'no-cache'
  if (kept && !isReload && (await isFreshForVisitor(cache, kept))) return kept
  const answer = await withTimeout(kept && !isReload ? TIMEOUTS_MS.kept : TIMEOUTS_MS.none, network)
  // Not what a reload shows: a page on a network this slow would be loaded for ever.
  if (!answer && kept && !isReload) shownTooEarly.add(event.resultingClientId)
  return answer ?? kept ?? (await offlinePage())
}

/** Pages that show what was kept since the network took too long; should it say «member» after all, they are outdated. */
const shownTooEarly = new Set<string>()

/** To a visitor, and as long as nothing was written since and «hoy» is still the same day. */
async function isFreshForVisitor(cache: Cache, kept: Response): Promise<boolean> {
  const since = Number((await cache.match(VISITOR_KEY))?.headers.get(STORED_AT_HEADER) ?? Infinity)
  const at = cachedAt(kept)
  return at >= since && madridDay(at) === madridDay(Date.now())
}

const cachedAt = (response: Response): number => Number(response.headers.get(STORED_AT_HEADER) ?? 0)

async function fetchFromNetwork(event: FetchEvent): Promise<Response> {
  const { request } = event
  const started = epoch
  const response = await fetch(request)
  event.waitUntil(handleResponse(request.url, response.clone(), started, event.resultingClientId))
  return response
}

/** What the network said about `url`: kept, copied or forgotten. @param clientId the page that may show something older */
async function handleResponse(url: string, response: Response, started: number, clientId: string): Promise<void> {
  const cache = await openPages()
  if (response.headers.get(SESSION_HEADER) === 'member') {
    // Signed in without our noticing: what was shown at once was made for a visitor.
    const isUnnoticed = (await cache.match(VISITOR_KEY)) !== undefined
    if (isUnnoticed) await clearPages()
    if (isUnnoticed || shownTooEarly.delete(clientId)) {
      outdatedClients.add(clientId)
      await notifyOutdated(clientId)
    }
    if (!isUnnoticed && isHtml(response) && !isNoStore(response)) await refreshPublicCopy(url)
    return
  }
  // The form with shared photos is no page to come back to.
  if (started !== epoch || new URL(url).searchParams.has('compartido')) return
  if (!isPublic(response)) {
    // Moved, gone or private now. A server that fails or is busy says nothing about the page.
    if (response.status < 500 && response.status !== 408 && response.status !== 429) await cache.delete(url)
    return
  }
  const isVisitor = response.headers.get(SESSION_HEADER) === 'none'
  if (isVisitor && !(await cache.match(VISITOR_KEY)))
    await cache.put(VISITOR_KEY, new Response(null, { headers: timestampHeader() }))
  await storePage(url, response)
}

/** Pages that show what was made for a visitor to a member; told once more when they say that they listen. */
const outdatedClients = new Set<string>()

export async function notifyOutdated(clientId: string): Promise<void> {
  if (!outdatedClients.has(clientId)) return
  const page = await scope.clients.get(clientId)
  page?.postMessage({ type: 'outdated' } satisfies MessageToPage)
}

const timestampHeader = () => ({ [STORED_AT_HEADER]: String(Date.now()) })
const isHtml = (response: Response) =>
  response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('text/html')
/** A member's pages are all `private`; of these there is nothing that visitors would see. */
const isNoStore = (response: Response) => /no-store/.test(response.headers.get('cache-control') ?? '')
const isPage = (response: Response) => isHtml(response) && isCacheable(response.headers)
const isPublic = (response: Response) => isPage(response) && response.headers.get(SESSION_HEADER) !== 'member'

/** Keeps what a visitor would see of a page, for a time without network. */
export async function refreshPublicCopy(url: string): Promise<void> {
  const kept = await (await openPages()).match(url)
  if (kept && Date.now() - cachedAt(kept) < COPY_MAX_AGE_MS) return
  const started = epoch
  const response = await fetch(url, { credentials: 'omit', headers: { Accept: 'text/html' } })
  if (!response.redirected && isPublic(response) && started === epoch) await storePage(url, response)
}

async function storePage(url: string, response: Response): Promise<void> {
  try {
    const cache = await openPages()
    const headers = new Headers(response.headers)
    const now = String(Date.now())
    headers.set(STORED_AT_HEADER, now)
    headers.delete('Content-Length')
    // The page itself knows what it is (lib/offline.ts, `keptSince`).
    const html = (await response.text()).replace(/<html\b/, `<html data-kept="${now}"`)
    const copy = new Response(html, { headers })
    // Taken out first, so that the order of the entries is that of the visits.
    await cache.delete(url)
    await cache.put(url, copy)
    const pages = (await cache.keys()).filter((key) => new URL(key.url).pathname !== VISITOR_KEY)
    await Promise.all(pages.slice(0, Math.max(0, pages.length - MAX_PAGES)).map((key) => cache.delete(key)))
  } catch {
    // No room, or the page broke off: it is not there offline, that is all.
  }
}

/** The page that says that there is no network, from the first installation on. */
export async function offlinePage(): Promise<Response> {
  return (await caches.match(paths.offline)) ?? Response.error()
}

/** The answer, or undefined where the network fails or takes longer than `ms`. */
function withTimeout(ms: number, network: Promise<Response>): Promise<Response | undefined> {
  const late = new Promise<undefined>((done) => setTimeout(done, ms))
  return Promise.race([network.catch(() => undefined), late])
}
