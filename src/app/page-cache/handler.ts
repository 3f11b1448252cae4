import type { IncomingMessage, ServerResponse } from 'node:http'
import { runWithRequestId, REQUEST_ID_HEADER, createRequestId } from '#server/log/request-id.ts'
import { toLoggedPath } from '#server/log/request-log.ts'
import { toCacheAddress } from './cache-address.ts'
import type { AddressLookups } from './cache-address.ts'
import { negotiateEncoding } from './encoding.ts'
import type { CachedPage, PageStore, RenderedPage } from './store.ts'

/** The closed sidebar's cookie: the only state of a visitor that a page shows (layouts/nav.ts). */
export const CLOSED_SIDEBAR_COOKIE = 'perrario-sidebar=closed'

export interface CacheHandlerOptions {
  pages: PageStore
  lookups: AddressLookups
  /** Renders an address for all visitors. `cookie` is CLOSED_SIDEBAR_COOKIE or undefined. */
  render: (url: string, cookie: string | undefined) => Promise<RenderedPage>
  /** The name of the cookie that a member's requests carry. */
  sessionCookie: string
  /** Takes one render of the client's quota. @returns false when it is used up: it has then sent the 429 itself */
  consumeRenderQuota: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** Begins the log entry of a request that needs a render; hits are only counted. @returns the request's id */
  startRequestLog: (req: IncomingMessage, res: ServerResponse) => string
}

/**
 * Answers visitors' pages from the store, before Astro builds a Request. Concurrent requests share one render (request
 * coalescing). A request after a change never gets a render begun before it.
 * @returns false for members, other methods and addresses that are not cached
 */
export function createCacheHandler({
  pages,
  lookups,
  render,
  sessionCookie,
  consumeRenderQuota,
  startRequestLog,
}: CacheHandlerOptions) {
  const session = `${sessionCookie}=`
  const inFlight = new Map<string, { page: Promise<CachedPage>; isFresh: () => boolean }>()

  /** The tags of a render are unknown until it ends: after any change later requests start a render of their own. */
  const findJoinableRender = (key: string): Promise<CachedPage> | undefined => {
    const current = inFlight.get(key)
    return current?.isFresh() ? current.page : undefined
  }

  function startRender(key: string, url: string, cookie: string | undefined): Promise<CachedPage> {
    const started = pages.beginRender()
    pages.counts.misses++
    const page = render(url, cookie)
      .then((rendered) => {
        // An outdated page is valid only for requests from before the change.
        if (!pages.isOutdated(started, rendered)) return pages.put(key, rendered)
        pages.counts.outdated++
        return pages.put(key, { ...rendered, tags: null })
      })
      .finally(() => {
        pages.endRender(started)
        if (inFlight.get(key)?.page === page) inFlight.delete(key)
      })
    inFlight.set(key, { page, isFresh: () => started.changedTags.size === 0 && !started.isAllChanged })
    return page
  }

  async function answerMiss(
    req: IncomingMessage,
    res: ServerResponse,
    requestHeaders: CacheRequestHeaders,
    key: string,
    url: string,
    cookie?: string,
  ) {
    if (!findJoinableRender(key) && !(await consumeRenderQuota(req, res))) return
    await send(
      req,
      res,
      pages.get(key) ?? (await (findJoinableRender(key) ?? startRender(key, url, cookie))),
      requestHeaders,
    )
  }

  async function send(
    req: IncomingMessage,
    res: ServerResponse,
    entry: CachedPage,
    requestHeaders: CacheRequestHeaders,
  ): Promise<void> {
    if (isNotModified(requestHeaders, entry)) return sendResponse(res, 304, entry.notModifiedHeaders)
    const { body, head } = await entry.getOrEncode(negotiateEncoding(requestHeaders.acceptEncoding))
    sendResponse(
      res,
      entry.page.status,
      withRequestQuery(req.url ?? '/', entry, head),
      req.method === 'HEAD' ? undefined : body,
    )
  }

  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const url = req.url ?? '/'
    const requestHeaders = readCacheRequestHeaders(req.rawHeaders)
    if (requestHeaders.cookie?.includes(session)) return false
    const cookie = requestHeaders.cookie?.includes(CLOSED_SIDEBAR_COOKIE) ? CLOSED_SIDEBAR_COOKIE : undefined
    const prefix = cookie ? '#' : ''
    // Most addresses are written as their cache key.
    let entry = pages.get(prefix + url)
    let address: string | null = url
    if (entry === undefined) {
      address = toCacheAddress(url, lookups)
      if (address === null) return false
      entry = pages.get(prefix + address)
    }
    if (entry === undefined) {
      const key = prefix + address
      const id = startRequestLog(req, res)
      runWithRequestId(id, () =>
        answerMiss(req, res, requestHeaders, key, address, cookie).catch((error: unknown) =>
          sendRenderError(res, url, error, id),
        ),
      )
      return true
    }
    if (isNotModified(requestHeaders, entry)) {
      pages.counts.unchanged++
      sendResponse(res, 304, entry.notModifiedHeaders)
      return true
    }
    pages.counts.hits++
    const encoded = entry.getEncoded(negotiateEncoding(requestHeaders.acceptEncoding))
    if (encoded)
      sendResponse(
        res,
        entry.page.status,
        withRequestQuery(url, entry, encoded.head),
        req.method === 'HEAD' ? undefined : encoded.body,
      )
    else
      send(req, res, entry, requestHeaders).catch((error: unknown) =>
        sendRenderError(res, url, error, createRequestId()),
      )
    return true
  }
}

/** The request headers that a cached page's answer depends on. */
interface CacheRequestHeaders {
  cookie: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

/** Reads the raw headers: Node builds `req.headers` lazily, which takes as long as the rest of the answer. */
function readCacheRequestHeaders(raw: string[]): CacheRequestHeaders {
  const requestHeaders: CacheRequestHeaders = { cookie: undefined, acceptEncoding: undefined, ifNoneMatch: undefined }
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i] ?? ''
    const { length } = header
    if (length !== 6 && length !== 13 && length !== 15) continue
    const name = header.toLowerCase()
    if (name === 'cookie')
      requestHeaders.cookie =
        requestHeaders.cookie === undefined ? raw[i + 1] : `${requestHeaders.cookie}; ${raw[i + 1]}`
    else if (name === 'accept-encoding') requestHeaders.acceptEncoding ??= raw[i + 1]
    else if (name === 'if-none-match') requestHeaders.ifNoneMatch ??= raw[i + 1]
  }
  return requestHeaders
}

/** Whether the browser has this very page (RFC 9110 §13.1.2). Only pages with status 200 are compared. */
function isNotModified({ ifNoneMatch }: CacheRequestHeaders, entry: CachedPage): boolean {
  if (ifNoneMatch === undefined || entry.page.status !== 200) return false
  return ifNoneMatch === '*' || ifNoneMatch.includes(entry.etag.slice(2))
}

/**
 * The headers of the answer to `url`. A redirect that passes its query on passes the whole requested query on: the cached one
 * was rendered with only the parameters that pages read.
 */
function withRequestQuery(
  url: string,
  { key, page }: CachedPage,
  head: Record<string, string>,
): Record<string, string> {
  if (page.status < 300 || page.status >= 400 || key.endsWith(url)) return head
  const query = queryOf(url)
  const name = 'location' in head ? 'location' : 'Location'
  const location = head[name]
  if (!location || queryOf(location) !== queryOf(key)) return head
  return { ...head, [name]: location.slice(0, location.length - queryOf(location).length) + query }
}

/** The query with its «?»; empty without one. */
const queryOf = (url: string): string => /\?.+/.exec(url)?.[0] ?? ''

function sendResponse(res: ServerResponse, status: number, head: Record<string, string>, body?: Buffer): void {
  if (res.destroyed) return
  res.writeHead(status, head)
  res.end(body)
}

function sendRenderError(res: ServerResponse, url: string, error: unknown, id: string): void {
  runWithRequestId(id, () => console.error(`Could not render ${toLoggedPath(url)}`, error))
  if (res.headersSent) return void res.destroy()
  res.writeHead(500, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    [REQUEST_ID_HEADER]: id,
  })
  res.end(
    '<!doctype html><html lang="es"><title>Perrario</title><p>Algo ha fallado. Inténtalo de nuevo en un momento.</p>',
  )
}
