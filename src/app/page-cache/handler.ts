import type { IncomingMessage, ServerResponse } from 'node:http'
import { findPosition } from '#db/positions.ts'
import { runWithRequestId, REQUEST_ID_HEADER, createRequestId } from '#server/log/request-id.ts'
import { toLoggedPath } from '#server/log/request-log.ts'
import { FLASH_COOKIE_MARK } from '#features/auth/flash-cookie.ts'
import { RIDDLE_COOKIE_MARK } from '#features/riddle/riddle-cookie.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { paths } from '#lib/paths.ts'
import { type AddressLookups, type DogAddress, toCacheAddress } from './cache-address.ts'
import { negotiateEncoding } from './encoding.ts'
import type { MemberRequest } from '#app/member-pages/member-handler.ts'
import { findPrerendered } from '#app/member-pages/prerendered-pages.ts'
import { type CacheRequestHeaders, findSessionToken, readCacheRequestHeaders } from './request-headers.ts'
import type { Found, PageStore, RenderedPage } from './page-store.ts'
import type { VisitorPage } from './visitor-page.ts'

/**
 * The closed sidebar's cookie: the only state of a visitor that a page shows (layouts/sidebar/sidebar.ts), but for guesses at
 * riddles, whose pages are not cached.
 */
export const CLOSED_SIDEBAR_COOKIE = 'perrario-sidebar=closed'

export type VisitorPages = PageStore<RenderedPage, VisitorPage>

export interface CacheHandlerOptions {
  pages: VisitorPages
  /** Learns of others' changes before a request is answered; undefined where there is nothing to wait for. */
  catchUp: (written: number) => Promise<void> | undefined
  lookups: AddressLookups
  /** Renders an address for all visitors. `cookie` is CLOSED_SIDEBAR_COOKIE or undefined. */
  render: (url: string, cookie: string | undefined) => Promise<RenderedPage>
  /** The name of the cookie that a member's requests carry. */
  sessionCookie: string
  /** Takes one render of the client's quota. @returns false when it is used up: it has then sent the 429 itself */
  consumeRenderQuota: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** Begins the log entry of a request that needs a render; hits are only counted. @returns the request's id */
  startRequestLog: (req: IncomingMessage, res: ServerResponse) => string
  /** Answers members' pages. */
  answerMember: (request: MemberRequest) => void
  /** A cookie that removes the session's. */
  clearedSessionCookie: string
}

/** Leaves a request to the files of the build, or to Astro although there may be such a file. */
type NextSteps = Pick<MemberRequest, 'next' | 'skipFiles'>

/** A visitor's request that the store cannot answer yet. */
interface VisitorRequest {
  req: IncomingMessage
  res: ServerResponse
  requestHeaders: CacheRequestHeaders
  /** CLOSED_SIDEBAR_COOKIE or undefined. */
  cookie: string | undefined
  /** What stands before an address in its cache key. */
  prefix: string
}

/**
 * Answers visitors' pages from the store. Concurrent requests share one render (request coalescing). Cached pages are answered
 * synchronously, and only the address of a dog whose page is not cached is looked up.
 */
function createVisitorHandler({
  pages,
  lookups,
  render,
  consumeRenderQuota,
  startRequestLog,
}: Pick<CacheHandlerOptions, 'pages' | 'lookups' | 'render' | 'consumeRenderQuota' | 'startRequestLog'>) {
  /** Answers the page of `address`, from the store or by a render. */
  function answerAddress(visitor: VisitorRequest, address: string): void {
    const { req, res, prefix } = visitor
    const found = pages.get(prefix + address, visitor.requestHeaders.written)
    if (found) return answerHit(req, res, visitor.requestHeaders, found.page)
    const id = startRequestLog(req, res)
    runWithRequestId(id, () =>
      answerMiss(visitor, address).catch((error: unknown) => sendRenderError(res, req.url ?? '/', error, id)),
    )
  }

  /**
   * Looks up whether there is such a dog, then answers. A failed lookup leaves the request to `next` as well: Astro's own then says
   * what is wrong, for all pages alike.
   */
  async function answerDogAddress(visitor: VisitorRequest, dog: DogAddress, next: () => void): Promise<void> {
    const isKnown = await dog.isKnown(lookups).catch(() => null)
    if (visitor.res.destroyed) return
    const address = isKnown === null ? null : isKnown ? dog.known : dog.unknown
    if (address === null) next()
    else answerAddress(visitor, address)
  }

  async function answerMiss({ req, res, requestHeaders, cookie, prefix }: VisitorRequest, address: string) {
    const key = prefix + address
    const find = () => pages.find(key, requestHeaders.written)
    if (!find() && !(await consumeRenderQuota(req, res))) return
    const { page }: Found<VisitorPage> = await (find() ?? pages.render(key, () => render(address, cookie)))
    await send(req, res, page, requestHeaders)
  }

  function answerHit(
    req: IncomingMessage,
    res: ServerResponse,
    requestHeaders: CacheRequestHeaders,
    entry: VisitorPage,
  ): void {
    if (isNotModified(requestHeaders, entry)) {
      pages.counts.unchanged++
      return sendResponse(res, 304, withCookie(requestHeaders, entry.notModifiedHeaders))
    }
    pages.counts.hits++
    const url = req.url ?? '/'
    const encoded = entry.getEncoded(negotiateEncoding(requestHeaders.acceptEncoding))
    if (encoded)
      sendResponse(
        res,
        entry.rendered.status,
        withCookie(requestHeaders, withRequestQuery(url, entry, encoded.head)),
        req.method === 'HEAD' ? undefined : encoded.body,
      )
    else
      send(req, res, entry, requestHeaders).catch((error: unknown) =>
        sendRenderError(res, url, error, createRequestId()),
      )
  }

  function answerVisitor(
    req: IncomingMessage,
    res: ServerResponse,
    requestHeaders: CacheRequestHeaders,
    cookie: string | undefined,
    next: () => void,
  ): void {
    const url = req.url ?? '/'
    if (requestHeaders.cookie?.includes(RIDDLE_COOKIE_MARK) && url.startsWith(paths.riddle)) return next()
    const prefix = cookie ? '#' : ''
    // Most addresses are written as their cache key.
    const found = pages.get(prefix + url, requestHeaders.written)
    if (found) return answerHit(req, res, requestHeaders, found.page)
    const address = toCacheAddress(url)
    if (address === null) return next()
    const visitor = { req, res, requestHeaders, cookie, prefix }
    if (typeof address === 'string') return answerAddress(visitor, address)
    const { known } = address
    // A page that is cached, for either sidebar, or being rendered, is of a dog that was found.
    if (pages.has(known) || pages.has(prefix + known)) return answerAddress(visitor, known)
    answerDogAddress(visitor, address, next).catch((error: unknown) =>
      sendRenderError(res, url, error, createRequestId()),
    )
  }

  return answerVisitor
}

/**
 * Answers cached pages before Astro builds a Request.
 * @returns middleware as connect knows it: leaves requests with a session to `answerMember`, and calls `next` for other methods and for
 *   addresses that are not cached. `skipFiles` is for `answerMember`, where a member must not get the file that visitors get
 */
export function createCacheHandler(options: CacheHandlerOptions) {
  const { catchUp, sessionCookie, answerMember, clearedSessionCookie } = options
  const session = `${sessionCookie}=`
  const answerVisitor = createVisitorHandler(options)

  function answer(
    req: IncomingMessage,
    res: ServerResponse,
    requestHeaders: CacheRequestHeaders,
    steps: NextSteps,
  ): void {
    const { next } = steps
    const cookie = requestHeaders.cookie?.includes(CLOSED_SIDEBAR_COOKIE) ? CLOSED_SIDEBAR_COOKIE : undefined
    if (!requestHeaders.cookie?.includes(session)) return answerVisitor(req, res, requestHeaders, cookie, next)
    const token = findSessionToken(requestHeaders.cookie, session)
    if (token === null) return next()
    const answerAsVisitor = () => {
      requestHeaders.setCookie = clearedSessionCookie
      if (!isPrerendered(req)) return answerVisitor(req, res, requestHeaders, cookie, next)
      res.setHeader('Set-Cookie', clearedSessionCookie)
      next()
    }
    // Where every sign-in ends, and a member may be led back from. Cached pages are rendered without that cookie.
    if (req.url === paths.profile && requestHeaders.cookie.includes(FLASH_COOKIE_MARK)) return next()
    const request = { req, res, token, requestHeaders, sidebarCookie: cookie, ...steps }
    answerMember({ ...request, answerVisitor: answerAsVisitor })
  }

  return (req: IncomingMessage, res: ServerResponse, next: () => void, skipFiles: () => void): void => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next()
    const requestHeaders = readCacheRequestHeaders(req.rawHeaders)
    const answerNow = () => {
      // Anyone can make up a later one.
      requestHeaders.written = Math.min(requestHeaders.written, findPosition())
      answer(req, res, requestHeaders, { next, skipFiles })
    }
    const waiting = catchUp(requestHeaders.written)
    // Without the changes no page may be answered: Astro's own says what is wrong.
    if (waiting) waiting.then(() => !res.destroyed && answerNow(), next)
    else answerNow()
  }
}

const isPrerendered = ({ url = '/' }: IncomingMessage): boolean => findPrerendered(url) !== undefined

/** Whether the browser has this very page (RFC 9110 §13.1.2). Only pages with status 200 are compared. */
function isNotModified({ ifNoneMatch }: CacheRequestHeaders, entry: VisitorPage): boolean {
  return entry.rendered.status === 200 && matchesEtag(ifNoneMatch, entry.etag)
}

/** Sends a page, compressed first where needed. */
async function send(
  req: IncomingMessage,
  res: ServerResponse,
  entry: VisitorPage,
  requestHeaders: CacheRequestHeaders,
): Promise<void> {
  if (isNotModified(requestHeaders, entry))
    return sendResponse(res, 304, withCookie(requestHeaders, entry.notModifiedHeaders))
  const { body, head } = await entry.getOrEncode(negotiateEncoding(requestHeaders.acceptEncoding))
  sendResponse(
    res,
    entry.rendered.status,
    withCookie(requestHeaders, withRequestQuery(req.url ?? '/', entry, head)),
    req.method === 'HEAD' ? undefined : body,
  )
}

/**
 * The headers of the answer to `url`. A redirect that passes its query on passes the whole requested query on: the cached one
 * was rendered with only the parameters that pages read.
 */
function withRequestQuery(
  url: string,
  { key, rendered: page }: VisitorPage,
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

/** The headers with the cookie that the answer sets: then it is for one reader (server/security/private-cookies.ts). */
const withCookie = ({ setCookie }: CacheRequestHeaders, head: Record<string, string>): Record<string, string> =>
  setCookie === undefined ? head : { ...head, 'set-cookie': setCookie, 'cache-control': 'private, no-cache' }

function sendResponse(res: ServerResponse, status: number, head: Record<string, string>, body?: Buffer): void {
  if (res.destroyed) return
  res.writeHead(status, head)
  res.end(body)
}

function sendRenderError(res: ServerResponse, url: string, error: unknown, id: string): void {
  runWithRequestId(id, () => console.error(`perrario · no se pudo preparar ${toLoggedPath(url)}`, error))
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
