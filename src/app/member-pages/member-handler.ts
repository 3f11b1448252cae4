import type { IncomingMessage, ServerResponse } from 'node:http'
import { toCacheAddress } from '#app/page-cache/cache-address.ts'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import { acceptedEncodings } from '#lib/http/conditional-requests.ts'
import { MemberPage, type MemberPageStore, type RenderedTemplate } from './member-page.ts'
import type { MemberState, MemberStates } from './member-states.ts'
import { SendBuffers } from './send-buffers.ts'
import { toSlotPiece } from './template.ts'

export interface MemberHandlerOptions {
  pages: MemberPageStore
  states: MemberStates
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

/** The address where members may share its page; null for others, and for spellings and parameters that Astro resolves. */
function toSharedAddress(url: string): string | null {
  if (!SHARED_PAGES.test(url)) return null
  const address = toCacheAddress(url)
  const known = typeof address === 'object' ? (address?.known ?? null) : address
  return known === url ? known : null
}

/**
 * Answers members' pages that are composed of one render for all (template.ts). Whatever is not leaves to Astro: other addresses, pages
 * that show something of the member, sessions that are to be prolonged.
 */
export function createMemberHandler(options: MemberHandlerOptions) {
  const sendBuffers = new SendBuffers()
  const { pages, states, position, consumeRenderQuota, startRequestLog } = options
  const inFlight = new Map<string, { page: Promise<MemberPage>; startedAt: number; isFresh: () => boolean }>()

  function startRender(key: string, address: string, sidebarCookie: string | undefined): Promise<MemberPage> {
    const started = pages.beginRender()
    const startedAt = performance.now()
    pages.counts.misses++
    const page = options
      .render(address, sidebarCookie)
      .then((rendered) => {
        const isReplaced = pages.isReplaced(started, rendered)
        const entry = new MemberPage({
          key,
          page: isReplaced ? { ...rendered, tags: null } : rendered,
          renderedAt: startedAt,
          position,
        })
        if (isReplaced) pages.counts.outdated++
        else if (pages.isMiscounted(started, rendered)) entry.markStale()
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

  async function answerLater(request: MemberRequest, key: string, address: string): Promise<void> {
    const { req, res, token, sidebarCookie } = request
    const state = await states.find(token)
    if (res.destroyed) return
    if (state === 'ended') return request.answerVisitor()
    if (state === null || state.isAdmin) return request.next()
    const lastWriteAt = states.lastWriteAt(state.userId)
    const ready = findPage(key, lastWriteAt)
    if (!ready && !(await consumeRenderQuota(req, res))) return
    const found = await (ready ?? findPage(key, lastWriteAt) ?? startRender(key, address, sidebarCookie))
    if (res.destroyed) return
    if (!found.template || !found.isSharedWith(state)) return request.next()
    if (!ready) startRequestLog(req, res)
    sendComposed(request, found, state, await states.findLiked(state, found.template.dogIds))
  }

  function sendComposed(
    request: MemberRequest,
    page: MemberPage,
    state: MemberState,
    liked: ReadonlySet<string>,
  ): void {
    const { req, res } = request
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
      slots: { ...state.slots, live: toSlotPiece(String(page.livePosition)) },
      isLiked: (dogId: string) => liked.has(dogId),
    }
    const isCompressed = acceptedEncodings(request.requestHeaders.acceptEncoding).includes('gzip')
    const { body, release } = sendBuffers.join(
      isCompressed ? template.composeGzip(pieces) : template.composePlain(pieces),
    )
    if (isCompressed) headers['Content-Encoding'] = 'gzip'
    headers['Content-Length'] = String(body.length)
    res.writeHead(page.status, headers)
    // The socket may still hold the bytes of an answer that broke off: only one that was sent gives its memory back.
    res.end(req.method === 'HEAD' ? undefined : body, () => res.writableFinished && release())
  }

  return (request: MemberRequest): void => {
    const { req, res, token, next } = request
    const address = toSharedAddress(req.url ?? '/')
    if (address === null) return next()
    const key = (request.sidebarCookie ? '#' : '') + address
    const state = states.recall(token)
    const page = state && pages.get(key)
    if (state && page?.template && state.liked && page.isUsableAfter(states.lastWriteAt(state.userId))) {
      if (!page.isSharedWith(state)) return next()
      return sendComposed(request, page, state, state.liked)
    }
    answerLater(request, key, address).catch((error: unknown) => {
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
