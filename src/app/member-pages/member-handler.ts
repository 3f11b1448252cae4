import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressLookups, type DogAddress, toCacheAddress } from '#app/page-cache/cache-address.ts'
import { encodeUncached } from '#app/page-cache/encoding.ts'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import { acceptedEncodings } from '#lib/http/conditional-requests.ts'
import { MemberPage, type MemberPageStore, type RenderedTemplate } from './member-page.ts'
import type { MemberState, MemberStates } from './member-states.ts'
import { SendBuffers } from './send-buffers.ts'
import { toSlotPiece } from './template.ts'

export interface MemberHandlerOptions {
  pages: MemberPageStore
  states: MemberStates
  lookups: AddressLookups
  /** Renders an address once for all members. `cookie` is that of the closed sidebar or undefined. */
  render: (url: string, cookie: string | undefined) => Promise<RenderedTemplate>
  /** How far the live streams are (features/live/hub.server.ts). */
  position: () => number
  /** Takes one render of the client's quota. @returns false when it is used up: it has then sent the 429 itself */
  consumeRenderQuota: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** Begins the log entry of a request that needs a render. @returns the request's id */
  startRequestLog: (req: IncomingMessage, res: ServerResponse) => void
}

/** A member's GET or HEAD request, as the page cache has read it. */
export interface MemberRequest {
  req: IncomingMessage
  res: ServerResponse
  token: string
  requestHeaders: Pick<CacheRequestHeaders, 'acceptEncoding' | 'ifNoneMatch'>
  /** The cookie of the closed sidebar or undefined. */
  sidebarCookie: string | undefined
  /** Answers as for a visitor: the session has ended. */
  answerVisitor: () => void
  /** Leaves the request to Astro. */
  next: () => void
}

/** Pages that may be the same for most members: lists, breeds and dogs. */
const SHARED_PAGES = /^\/(?:|perros|razas\/(?!imprimir$)[^/]+|(?!perro\/|razas\/|usuario\/)[^/]+\/[^/]+)(?:\?|$)/

/** Parameters that lead the list's address to another page (server/rewrites.ts). */
const OTHER_PAGES = /[?&](?:tab=|view=map)/

interface SharedAddress {
  address: string
  /** Of a dog's page: whether there is such a dog. */
  dog?: DogAddress
}

/** The address where members may share its page; null for others, and for spellings and parameters that Astro resolves. */
function toSharedAddress(url: string): SharedAddress | null {
  if (!SHARED_PAGES.test(url) || OTHER_PAGES.test(url)) return null
  const found = toCacheAddress(url)
  if (found === null) return null
  if (typeof found === 'string') return found === url ? { address: url } : null
  return found.known === url ? { address: url, dog: found } : null
}

/** Renders that concurrent requests share (request coalescing), and pages from earlier ones. */
function createRenders({ pages, render, position }: Pick<MemberHandlerOptions, 'pages' | 'render' | 'position'>) {
  const inFlight = new Map<string, { page: Promise<MemberPage>; startedAt: number; isFresh: () => boolean }>()

  function startRender(key: string, address: string, sidebarCookie: string | undefined): Promise<MemberPage> {
    const started = pages.beginRender()
    const startedAt = performance.now()
    const startPosition = position()
    pages.counts.misses++
    const page = render(address, sidebarCookie)
      .then((rendered) => {
        const isReplaced = pages.isReplaced(started, rendered)
        const entry = new MemberPage({
          key,
          page: isReplaced ? { ...rendered, tags: null } : rendered,
          renderedAt: startedAt,
          position,
        })
        if (isReplaced) pages.counts.outdated++
        if (isReplaced || pages.isMiscounted(started, rendered)) entry.markStale(startPosition)
        return pages.put(entry)
      })
      .finally(() => {
        pages.endRender(started)
        if (inFlight.get(key)?.page === page) inFlight.delete(key)
      })
    inFlight.set(key, { page, startedAt, isFresh: () => started.changedTags.size === 0 && !started.isAllChanged })
    return page
  }

  /** The page as it is stored, or as it is being rendered, if it is recent enough for a member who last wrote at `lastWriteAt`. */
  function findPage(key: string, lastWriteAt: number): MemberPage | Promise<MemberPage> | undefined {
    const stored = pages.get(key)
    if (stored?.isUsableAfter(lastWriteAt)) return stored
    const current = inFlight.get(key)
    return current?.isFresh() && current.startedAt > lastWriteAt ? current.page : undefined
  }

  return { findPage, startRender }
}

/**
 * Answers members' pages that are composed of one render for all (template.ts). Whatever is not leaves to Astro: other addresses, pages
 * that show something of the member, sessions that are to be prolonged.
 */
export function createMemberHandler(options: MemberHandlerOptions) {
  const sendBuffers = new SendBuffers()
  const { pages, states, lookups, position, consumeRenderQuota, startRequestLog } = options
  const { findPage, startRender } = createRenders(options)

  async function answerLater(request: MemberRequest, key: string, { address, dog }: SharedAddress): Promise<void> {
    const { req, res, token, sidebarCookie } = request
    // Before the state is read: what happens meanwhile reaches the reader by their stream.
    const startPosition = position()
    const state = await states.find(token)
    if (res.destroyed) return
    if (state === 'ended') return request.answerVisitor()
    if (state === null || state.isAdmin) return request.next()
    const lastWriteAt = states.lastWriteAt(state.userId)
    const ready = findPage(key, lastWriteAt)
    if (!ready) {
      if (dog && !pages.has(key) && !(await dog.isKnown(lookups))) return request.next()
      // What answers from here on, a refusal too, is logged and has its headers.
      startRequestLog(req, res)
      if (!(await consumeRenderQuota(req, res))) return
    }
    const found = await (ready ?? findPage(key, lastWriteAt) ?? startRender(key, address, sidebarCookie))
    if (res.destroyed) return
    if (!found.template || !found.isSharedWith(state)) return request.next()
    const liked = await states.findLiked(state, found.template.dogIds)
    sendComposed(request, found, state, { liked, position: Math.min(startPosition, found.livePosition) })
  }

  function sendComposed(
    request: MemberRequest,
    page: MemberPage,
    state: MemberState,
    { liked, position: live }: { liked: ReadonlySet<string>; position: number },
  ): void {
    const { res } = request
    const { template } = page
    if (!template || res.destroyed) return
    const etag = `W/"${page.etag}.${state.fingerprint}.${packBits(template.dogIds, liked)}"`
    const headers: Record<string, string> = { ...page.headers, ETag: etag, Vary: 'Accept-Encoding, Cookie' }
    if (request.requestHeaders.ifNoneMatch === etag) {
      pages.counts.unchanged++
      res.writeHead(304, headers)
      res.end()
      return
    }
    pages.counts.hits++
    const pieces = {
      slots: { ...state.slots, live: toSlotPiece(String(live)) },
      isLiked: (dogId: string) => liked.has(dogId),
    }
    const encodings = acceptedEncodings(request.requestHeaders.acceptEncoding)
    if (encodings.includes('gzip')) {
      headers['Content-Encoding'] = 'gzip'
      return sendBuffersOf(request, page.status, headers, template.composeGzip(pieces))
    }
    const plain = template.composePlain(pieces)
    if (encodings.length === 0) return sendBuffersOf(request, page.status, headers, plain)
    // Pieces are compressed for gzip alone: who takes only brotli, which no browser does, waits for it.
    headers['Content-Encoding'] = 'br'
    Promise.resolve(encodeUncached(Buffer.concat(plain), 'br')).then(
      (body) => sendBuffersOf(request, page.status, headers, [body]),
      () => res.destroy(),
    )
  }

  function sendBuffersOf(
    { req, res }: MemberRequest,
    status: number,
    headers: Record<string, string>,
    buffers: readonly Buffer[],
  ): void {
    if (res.destroyed) return
    headers['Content-Length'] = String(buffers.reduce((sum, { length }) => sum + length, 0))
    res.writeHead(status, headers)
    if (req.method === 'HEAD') return void res.end()
    const { body, release } = sendBuffers.join(buffers)
    // Once the connection is gone nothing reads the bytes any more, whether they were sent or not.
    res.once('close', release)
    res.end(body)
  }

  return (request: MemberRequest): void => {
    const { req, res, token, next } = request
    const shared = toSharedAddress(req.url ?? '/')
    if (shared === null) return next()
    const key = (request.sidebarCookie ? '#' : '') + shared.address
    const state = states.recall(token)
    const page = state && pages.get(key)
    if (state && page?.template && state.liked && page.isUsableAfter(states.lastWriteAt(state.userId))) {
      if (!page.isSharedWith(state)) return next()
      return sendComposed(request, page, state, { liked: state.liked, position: page.livePosition })
    }
    answerLater(request, key, shared).catch((error: unknown) => {
      console.error('Could not compose a page', error)
      if (!res.headersSent && !res.destroyed) next()
      else res.destroy()
    })
  }
}

/** Which of the dogs are liked, as hexadecimal digits. */
function packBits(dogIds: readonly string[], liked: ReadonlySet<string>): string {
  let digits = ''
  for (let i = 0; i < dogIds.length; i += 4) {
    let digit = 0
    for (let j = 0; j < 4; j++) digit = digit * 2 + (liked.has(dogIds[i + j] ?? '') ? 1 : 0)
    digits += digit.toString(16)
  }
  return digits
}
