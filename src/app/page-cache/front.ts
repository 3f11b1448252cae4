import type { IncomingMessage, ServerResponse } from 'node:http'
import { asRequest, ID_HEADER, nameRequest } from '#server/log/request.ts'
import { pathOf } from '#server/watch.ts'
import { pageAddress } from './address.ts'
import type { Known } from './address.ts'
import { encodingFor } from './encoding.ts'
import type { Entry, PageStore, Rendered } from './store.ts'

/** The sidebar's cookie: the one thing of a visitor's own that a page shows (layouts/nav.ts). */
export const CLOSED = 'perrario-sidebar=closed'

export interface FrontOptions {
  pages: PageStore
  known: Known
  /** Renders an address for nobody in particular. `cookie` is `CLOSED` or nothing. */
  render: (url: string, cookie: string | undefined) => Promise<Rendered>
  /** The name of the cookie that a member's requests carry. */
  sessionCookie: string
  /** Takes one of the renders that whoever asks may cause; answers for itself and says false when they are used up. */
  mayRender: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** Follows a request that has to be rendered for; the others are only counted. @returns its name */
  watch: (req: IncomingMessage, res: ServerResponse) => string
}

/**
 * Answers visitors' pages from the store, before Astro builds a Request. A page is rendered once however many ask for it;
 * who asks after a change never gets what was begun before it.
 * @returns false where the request is for somebody else: a member, another method, no page that is kept
 */
export function openFront({ pages, known, render, sessionCookie, mayRender, watch }: FrontOptions) {
  const session = `${sessionCookie}=`
  const flights = new Map<string, { landing: Promise<Entry>; isFresh: () => boolean }>()

  /** Until it lands nobody knows what it shows: any change at all sends later askers to a render of their own. */
  const joinable = (key: string): Promise<Entry> | undefined => {
    const flight = flights.get(key)
    return flight?.isFresh() ? flight.landing : undefined
  }

  function begin(key: string, url: string, cookie: string | undefined): Promise<Entry> {
    const flight = pages.begin()
    pages.counts.misses++
    const landing = render(url, cookie)
      .then((page) => {
        // Right for whoever had asked before the change, and for nobody else.
        if (!pages.isOutdated(flight, page)) return pages.keep(key, page)
        pages.counts.outdated++
        return pages.keep(key, { ...page, tags: null })
      })
      .finally(() => {
        pages.end(flight)
        if (flights.get(key)?.landing === landing) flights.delete(key)
      })
    flights.set(key, { landing, isFresh: () => flight.changed.size === 0 && !flight.everything })
    return landing
  }

  async function answerNew(
    req: IncomingMessage,
    res: ServerResponse,
    asked: Asked,
    key: string,
    url: string,
    cookie?: string,
  ) {
    if (!joinable(key) && !(await mayRender(req, res))) return
    await send(req, res, pages.get(key) ?? (await (joinable(key) ?? begin(key, url, cookie))), asked)
  }

  async function send(req: IncomingMessage, res: ServerResponse, entry: Entry, asked: Asked): Promise<void> {
    if (isKnown(asked, entry)) return write(res, 304, entry.unchanged)
    const { body, head } = await entry.make(encodingFor(asked.encodings))
    write(res, entry.page.status, carried(req.url!, entry, head), req.method === 'HEAD' ? undefined : body)
  }

  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const url = req.url!
    const asked = askedOf(req.rawHeaders)
    if (asked.cookies?.includes(session)) return false
    const cookie = asked.cookies?.includes(CLOSED) ? CLOSED : undefined
    const prefix = cookie ? '#' : ''
    // Most addresses are written as they are kept.
    let entry = pages.get(prefix + url)
    let address: string | null = url
    if (entry === undefined) {
      address = pageAddress(url, known)
      if (address === null) return false
      entry = pages.get(prefix + address)
    }
    if (entry === undefined) {
      const key = prefix + address
      const id = watch(req, res)
      asRequest(id, () =>
        answerNew(req, res, asked, key, address, cookie).catch((error: unknown) => fail(res, url, error, id)),
      )
      return true
    }
    if (isKnown(asked, entry)) {
      pages.counts.unchanged++
      write(res, 304, entry.unchanged)
      return true
    }
    pages.counts.hits++
    const ready = entry.ready(encodingFor(asked.encodings))
    if (ready)
      write(res, entry.page.status, carried(url, entry, ready.head), req.method === 'HEAD' ? undefined : ready.body)
    else send(req, res, entry, asked).catch((error: unknown) => fail(res, url, error, nameRequest()))
    return true
  }
}

/** What a kept page's answer hangs on. */
interface Asked {
  cookies: string | undefined
  encodings: string | undefined
  known: string | undefined
}

/** Read from the headers as they came: Node makes `req.headers` only when it is asked for, which takes as long as the rest. */
function askedOf(raw: string[]): Asked {
  const asked: Asked = { cookies: undefined, encodings: undefined, known: undefined }
  for (let i = 0; i < raw.length; i += 2) {
    const { length } = raw[i]!
    if (length !== 6 && length !== 13 && length !== 15) continue
    const name = raw[i]!.toLowerCase()
    if (name === 'cookie') asked.cookies = asked.cookies === undefined ? raw[i + 1] : `${asked.cookies}; ${raw[i + 1]}`
    else if (name === 'accept-encoding') asked.encodings ??= raw[i + 1]
    else if (name === 'if-none-match') asked.known ??= raw[i + 1]
  }
  return asked
}

/** The browser has this very page (RFC 9110 §13.1.2). Only what is there is compared: a lost page has no version. */
function isKnown({ known }: Asked, entry: Entry): boolean {
  if (known === undefined || entry.page.status !== 200) return false
  return known === '*' || known.includes(entry.etag.slice(2))
}

/**
 * The head of an answer to `url`. A redirect that leads on with its query leads on with all of the query that was asked
 * for: the kept one was rendered with what pages read of it.
 */
function carried(url: string, { key, page }: Entry, head: Record<string, string>): Record<string, string> {
  if (page.status < 300 || page.status >= 400 || key.endsWith(url)) return head
  const query = queryOf(url)
  const name = 'location' in head ? 'location' : 'Location'
  const location = head[name]
  if (!location || queryOf(location) !== queryOf(key)) return head
  return { ...head, [name]: location.slice(0, location.length - queryOf(location).length) + query }
}

/** With its mark; empty where nothing is asked. */
const queryOf = (url: string): string => /\?.+/.exec(url)?.[0] ?? ''

function write(res: ServerResponse, status: number, head: Record<string, string>, body?: Buffer): void {
  if (res.destroyed) return
  res.writeHead(status, head)
  res.end(body)
}

function fail(res: ServerResponse, url: string, error: unknown, id: string): void {
  asRequest(id, () => console.error(`Could not render ${pathOf(url)}`, error))
  if (res.headersSent) return void res.destroy()
  res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', [ID_HEADER]: id })
  res.end(
    '<!doctype html><html lang="es"><title>Perrario</title><p>Algo ha fallado. Inténtalo de nuevo en un momento.</p>',
  )
}
