/** Follows every plain link of a site from its first page on, as a search engine does. */
import { paths } from '#lib/paths.ts'
import { type HtmlPage, readPage } from './html-page.ts'

export interface Visit {
  /** Path and query. */
  address: string
  status: number
  /** Where it was sent on to, hop by hop; empty for a page that answers by itself. */
  hops: string[]
  /** The first page that led here. */
  from: string
  /** Null for what is no HTML, and for what could not be read. */
  page: HtmlPage | null
  html: string
  ms: number
}

export interface Walk {
  visits: Map<string, Visit>
  /** What the pages show besides: each with its status and the first page that shows it. */
  resources: Map<string, { status: number; from: string }>
  /** Links to other sites, which are not followed. */
  externalLinks: Set<string>
  /** Links to a place in a page that has no such id, as «from → address#id». */
  missingAnchors: string[]
}

interface WalkOptions {
  /** Requests at a time. */
  concurrency?: number
  /** More addresses than this are not visited: a trap of endless addresses is a fault of its own. */
  maxAddresses?: number
  headers?: Record<string, string>
  /** Of a folder's files, which a server may have to draw first, no more than so many are asked for. */
  perFolder?: number
}

const MAX_REDIRECTS = 5
/** A script opens a dialog for it; without one it is the page alone. */
const DIALOG_FRAGMENT = paths.addDog.split('#')[1]

/**
 * @param origin the site's, without a slash at the end
 * @throws Error when there are more than `most` addresses
 */
export async function walk(
  origin: string,
  { concurrency = 8, maxAddresses = 20_000, headers = {}, perFolder = Infinity }: WalkOptions = {},
): Promise<Walk> {
  const visits = new Map<string, Visit>()
  const pieces = new Map<string, { status: number; from: string }>()
  const outside = new Set<string>()
  const places: { from: string; address: string; id: string }[] = []
  const waiting: { address: string; from: string; isPiece: boolean }[] = []
  const known = new Set<string>()
  const folders = new Map<string, number>()

  /** What a link leads to, without its fragment; null for what is not ours or no page. */
  function resolve(href: string, at: string): { address: string; id: string } | null {
    if (!URL.canParse(href, origin + at)) return { address: href, id: '' }
    const url = new URL(href, origin + at)
    if (!url.protocol.startsWith('http')) return null
    if (url.origin !== origin) {
      outside.add(url.href)
      return null
    }
    return { address: url.pathname + url.search, id: decodeURIComponent(url.hash.slice(1)) }
  }

  function follow(href: string, from: string, isPiece: boolean): void {
    const to = resolve(href, from)
    if (!to) return
    if (to.id && to.id !== DIALOG_FRAGMENT && !isPiece) places.push({ from, ...to })
    if (known.has(to.address)) return
    known.add(to.address)
    if (known.size > maxAddresses)
      throw new Error(`more than ${maxAddresses} addresses; the last: ${to.address} (from ${from})`)
    if (isPiece) {
      // Renders of one picture differ by a part before its name.
      const folder = to.address.replace(/\/[^/]*$/, '').replaceAll(/\d+/g, '0')
      const before = folders.get(folder) ?? 0
      folders.set(folder, before + 1)
      if (before >= perFolder) return
    }
    waiting.push({ address: to.address, from, isPiece })
  }

  async function visit({ address, from, isPiece }: (typeof waiting)[number]): Promise<void> {
    const start = performance.now()
    const hops: string[] = []
    let response = await fetchOrStatusZero(origin + address, headers)
    while (response.headers.has('location') && hops.length < MAX_REDIRECTS) {
      const to = new URL(response.headers.get('location')!, origin + (hops.at(-1) ?? address))
      await response.body?.cancel()
      hops.push(to.pathname + to.search)
      if (to.origin !== origin) break
      response = await fetchOrStatusZero(to.href, headers)
    }
    if (isPiece) {
      await response.body?.cancel()
      pieces.set(address, { status: response.status, from })
      return
    }
    const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false
    const html = isHtml ? await response.text() : ''
    if (!isHtml) await response.body?.cancel()
    const page = isHtml ? readPage(html) : null
    visits.set(address, { address, status: response.status, hops, from, page, html, ms: performance.now() - start })
    if (!page || response.status >= 400) return
    const at = hops.at(-1) ?? address
    for (const href of page.links) follow(href, at, false)
    for (const piece of page.resources) if (!piece.startsWith('data:')) follow(piece, at, true)
  }

  follow('/', '', false)
  let running = 0
  await new Promise<void>((done, fail) => {
    const next = () => {
      if (waiting.length === 0 && running === 0) return done()
      while (running < concurrency && waiting.length > 0) {
        running++
        visit(waiting.shift()!).then(() => {
          running--
          next()
        }, fail)
      }
    }
    next()
  })
  const lostPlaces = places
    .filter(({ address, id }) => visits.get(address)?.page && !visits.get(address)!.page!.ids.has(id))
    .map(({ from, address, id }) => `${from} → ${address}#${id}`)
  return { visits, resources: pieces, externalLinks: outside, missingAnchors: [...new Set(lostPlaces)] }
}

/** A whole answer; a connection that breaks counts as status 0. */
const fetchOrStatusZero = (url: string, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers }).catch(() => Object.assign(new Response(null), { status: 0 }))
