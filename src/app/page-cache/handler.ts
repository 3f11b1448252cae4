import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Db } from '#db/client.ts'
import { findPosition } from '#db/positions.ts'
import { RIDDLE_COOKIE_MARK } from '#features/riddle/riddle-cookie.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { readWrittenCookie, readWrittenHeader, WRITTEN_HEADER } from '#lib/http/written.ts'
import { paths } from '#lib/paths.ts'
import { type Encoded, encodeOnce } from '#server/encoding.ts'
import { runWithRequestId } from '#server/log/request-id.ts'
import { type AddressLookups, type PageAddress, toPageAddress } from './addresses.ts'
import type { MemberPage, VisitorPage } from './cached-pages.ts'
import type { Found, PageStore, RenderedPage } from './page-store.ts'
import { findReader, isSharedWith, readSwitches } from './reader.ts'

/**
 * The closed sidebar's cookie: the only state of a browser that a page shows (layouts/sidebar/sidebar.ts), but for guesses at
 * riddles, whose pages are not cached.
 */
export const CLOSED_SIDEBAR_COOKIE = 'perrario-sidebar=closed'

/** Characters of a session's token: no other value is looked up. */
const TOKEN = /^[\w.-]{1,64}$/

/** Pages of one audience. */
interface Audience<Page extends VisitorPage | MemberPage> {
  pages: PageStore<Page>
  /** Renders an address once for all of them. `cookie` is CLOSED_SIDEBAR_COOKIE or undefined. */
  render: (url: string, cookie: string | undefined) => Promise<RenderedPage>
}

export interface PageHandlerOptions {
  db: Db
  visitors: Audience<VisitorPage>
  members: Audience<MemberPage>
  lookups: AddressLookups
  adminEmail: string | undefined
  /** How far the live streams are. */
  liveEvent: () => number
  /** Learns of others' changes before a request is answered; undefined where there is nothing to wait for. */
  catchUp: (written: number) => Promise<void> | undefined
  /** Takes one render of the client's quota. @returns false when it is used up: it has then sent the 429 itself */
  consumeRenderQuota: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** Begins the log entry of a request that needs a render, a refusal too; hits are only counted. @returns the request's id */
  startRequestLog: (req: IncomingMessage, res: ServerResponse) => string
  /** The name of the cookie that a member's requests carry. */
  sessionCookie: string
  /** A cookie that removes the session's. */
  clearedSessionCookie: string
}

/** A GET or HEAD request on its way. */
interface PageRequest {
  req: IncomingMessage
  res: ServerResponse
  url: string
  cookies: string
  /** CLOSED_SIDEBAR_COOKIE or undefined: each has its own page. */
  sidebarCookie: string | undefined
  /** The position of the client's last change (db/positions.ts); 0 for none. */
  written: number
  /** Leaves the request to the files of the build, and behind them to Astro. */
  next: () => void
  /** Leaves the request to Astro, although the build may have a file for visitors. */
  skipFiles: () => void
}

/**
 * Answers cached pages before Astro builds a Request: a visitor's as it is, a member's with what depends on them filled in. Whatever is not
 * cached or not shared with the reader it leaves to Astro: other methods and addresses, the admin's pages, sessions that are to be renewed.
 * @returns middleware as connect knows it; `skipFiles` is for members, who must not get the file that visitors get
 */
export function createPageHandler(options: PageHandlerOptions) {
  const { db, lookups, visitors, members, liveEvent } = options
  const session = `${options.sessionCookie}=`

  /** The page of an address, cached or rendered; null where the quota is used up, and the client knows. */
  async function findPage<Page extends VisitorPage | MemberPage>(
    { req, res, written, sidebarCookie }: PageRequest,
    { pages, render }: Audience<Page>,
    address: string,
  ): Promise<Found<Page> | null> {
    const key = keyOf(address, sidebarCookie)
    const cached = pages.get(key, written)
    if (cached) return cached
    // What answers from here on, a refusal too, is logged and has its headers.
    return runWithRequestId(options.startRequestLog(req, res), async () => {
      const find = () => pages.find(key, written)
      if (!find() && !(await options.consumeRenderQuota(req, res))) return null
      return await (find() ?? pages.render(key, () => render(address, sidebarCookie)))
    })
  }

  /** Whether there is the dog of that page; known without a lookup where its page is cached, or being rendered. */
  const isKnown = async (
    { sidebarCookie }: PageRequest,
    { pages }: { pages: { has: (key: string) => boolean } },
    { address, dog }: PageAddress,
  ): Promise<boolean> =>
    !dog || pages.has(address) || pages.has(keyOf(address, sidebarCookie)) || (await dog.isKnown(lookups))

  async function answerVisitor(request: PageRequest, asked: PageAddress, cookie?: string): Promise<void> {
    const { res, next } = request
    // Astro's own lookup says what is wrong, for all pages alike.
    const isThere = await isKnown(request, visitors, asked).catch(() => null)
    if (res.destroyed) return
    const address = isThere === false ? (asked.dog?.unknown ?? null) : asked.address
    if (isThere === null || address === null) return next()
    const found = await findPage(request, visitors, address)
    if (!found) return
    // With a cookie the answer is for one reader (server/security/private-cookies.ts).
    const head = cookie === undefined ? undefined : { 'set-cookie': cookie, 'cache-control': 'private, no-cache' }
    const { page } = found
    // A redirect passes the whole query on, and the render had only what the page reads.
    if (page.status >= 300 && page.status < 400) return next()
    await send(request, page, page.etag, head, visitors.pages.counts, (accept) => page.encode(accept))
  }

  async function answerMember(request: PageRequest, asked: PageAddress, token: string): Promise<void> {
    const { res, next } = request
    const leave = asked.isFile ? request.skipFiles : next
    // Before the member is read: what happens meanwhile reaches them by their stream.
    const startEvent = liveEvent()
    const reader = await findReader(db, token, options.adminEmail)
    if (res.destroyed) return
    if (reader === 'ended') {
      const cookie = options.clearedSessionCookie
      if (!asked.isFile) return answerVisitor(request, asked, cookie)
      res.setHeader('Set-Cookie', cookie)
      return next()
    }
    if (reader === null || reader.isAdmin || !(await isKnown(request, members, asked))) return leave()
    const found = await findPage(request, members, asked.address)
    if (!found) return
    const { page, live } = found
    if (page.status !== 200 || !(await isSharedWith(db, reader, page, asked.dog !== undefined))) return leave()
    const { template } = page
    const on = await readSwitches(db, reader, template)
    const { like, follow } = template.keys
    const bits = `${packBits(like, on.like)}${follow.length > 0 ? `.${packBits(follow, on.follow)}` : ''}`
    const hasPlaces = template.hasSlots || like.length + follow.length > 0
    const etag = hasPlaces ? `${page.etag}.${reader.fingerprint}.${bits}` : page.etag
    await send(request, page, etag, undefined, members.pages.counts, (accept) => {
      const slots = { ...reader.texts, live: String(Math.min(startEvent, live)) }
      return encodeOnce(template.fillIn({ slots, ...on }), accept)
    })
  }

  /** Null for requests that are left to files and Astro. */
  function findAnswer(request: PageRequest): Promise<void> | null {
    const { url, cookies } = request
    const asked = toPageAddress(url)
    if (!asked) return null
    if (cookies.includes(session)) {
      const token = findSessionToken(cookies, session)
      return token === null || !asked.isShared ? null : answerMember(request, asked, token)
    }
    if (asked.isFile || (cookies.includes(RIDDLE_COOKIE_MARK) && url.startsWith(paths.riddle))) return null
    return answerVisitor(request, asked)
  }

  return (req: IncomingMessage, res: ServerResponse, next: () => void, skipFiles: () => void): void => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next()
    const { cookie: cookies = '', [WRITTEN_NAME]: header = '' } = req.headers
    const claimed = readWrittenHeader(String(header)) || readWrittenCookie(cookies)
    const sidebarCookie = cookies.includes(CLOSED_SIDEBAR_COOKIE) ? CLOSED_SIDEBAR_COOKIE : undefined
    const answerNow = () => {
      // Anyone can make up a later one.
      const written = Math.min(claimed, findPosition())
      const request = { req, res, url: req.url ?? '/', cookies, sidebarCookie, written, next, skipFiles }
      const answer = findAnswer(request)
      if (!answer) return next()
      answer.catch((error: unknown) => {
        console.error('perrario · una página no se pudo preparar:', error)
        if (res.headersSent) res.destroy()
        else next()
      })
    }
    const waiting = options.catchUp(claimed)
    // Without the changes no page may be answered: Astro's own says what is wrong.
    if (waiting) waiting.then(() => !res.destroyed && answerNow(), next)
    else answerNow()
  }
}

const WRITTEN_NAME = WRITTEN_HEADER.toLowerCase()

/** A page's key in its store: there is one of each sidebar. */
const keyOf = (address: string, sidebarCookie: string | undefined): string => (sidebarCookie ? '#' : '') + address

/** The token of the session cookie; null where it can be none, or where there are two of them. */
function findSessionToken(cookies: string, session: string): string | null {
  const [pair = '', ...others] = cookies.split(/;\s*/).filter((one) => one.startsWith(session))
  const token = others.length === 0 ? pair.slice(session.length) : ''
  return TOKEN.test(token) ? token : null
}

/** Sends a page, or a 304 to who has it (RFC 9110 §13.1.2). Only pages with status 200 are compared. */
async function send(
  { req, res }: PageRequest,
  { status, headers }: Pick<VisitorPage, 'status' | 'headers'>,
  tag: string,
  own: Record<string, string> | undefined,
  counts: { hits: number; unchanged: number },
  encode: (accept: string | undefined) => Promise<Encoded>,
): Promise<void> {
  if (res.destroyed) return
  const head: Record<string, string | number> = { ...headers, ETag: `W/"${tag}"`, ...own }
  if (status === 200 && matchesEtag(req.headers['if-none-match'], `W/"${tag}"`)) {
    counts.unchanged++
    return void res.writeHead(304, head).end()
  }
  counts.hits++
  const { encoding, body } = await encode(req.headers['accept-encoding'])
  if (res.destroyed) return
  if (encoding !== 'identity') head['Content-Encoding'] = encoding
  head['Content-Length'] = body.length
  res.writeHead(status, head).end(req.method === 'HEAD' ? undefined : body)
}

/** Which of the buttons are pressed, as hexadecimal digits. */
function packBits(keys: readonly string[], pressed: ReadonlySet<string>): string {
  const bits = keys.map((key) => (pressed.has(key) ? 1 : 0)).join('')
  return bits.replace(/.{1,4}/g, (four) => Number.parseInt(four.padEnd(4, '0'), 2).toString(16))
}
