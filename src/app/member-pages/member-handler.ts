import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Db } from '#db/client.ts'
import type { AddressLookups } from '#app/page-cache/cache-address.ts'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { type MemberAddress, toMemberAddress } from './member-address.ts'
import type { MemberPages, RenderedTemplate } from './member-page.ts'
import { findFollowed, readMemberState, readRelations } from './member-state.ts'
import { createPageSender } from './send-page.ts'

export interface MemberHandlerOptions {
  pages: MemberPages
  db: Db
  adminEmail: string | undefined
  lookups: AddressLookups
  /** Renders an address once for all members. `cookie` is that of the closed sidebar or undefined. */
  render: (url: string, cookie: string | undefined) => Promise<RenderedTemplate>
  /** How far the live streams are (features/live/hub.server.ts). */
  liveEvent: () => number
  /** Takes one render of the client's quota. @returns false when it is used up: it has then sent the 429 itself */
  consumeRenderQuota: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
  /** Begins the log entry of a request that needs a render. */
  startRequestLog: (req: IncomingMessage, res: ServerResponse) => void
}

/** A member's GET or HEAD request, as the page cache has read it. */
export interface MemberRequest {
  req: IncomingMessage
  res: ServerResponse
  token: string
  requestHeaders: Pick<CacheRequestHeaders, 'acceptEncoding' | 'ifNoneMatch' | 'written'>
  /** The cookie of the closed sidebar or undefined. */
  sidebarCookie: string | undefined
  /** Answers as for a visitor: the session has ended. */
  answerVisitor: () => void
  /** Leaves the request to the files of the build, and behind them to Astro. */
  next: () => void
  /** Leaves the request to Astro, although the build may have a file for visitors. */
  skipFiles: () => void
}

/**
 * Answers the pages that members share, composed of one render for all (template.ts). Whatever is not shared with a reader it leaves to Astro:
 * other addresses, the admin's pages, and sessions that are to be renewed.
 */
export function createMemberHandler(options: MemberHandlerOptions) {
  const { pages, db, lookups, liveEvent, render, consumeRenderQuota, startRequestLog } = options
  const send = createPageSender(pages.counts)

  async function answer(request: MemberRequest, found: MemberAddress): Promise<void> {
    const { res, token } = request
    // Before the state is read: what happens meanwhile reaches the reader by their stream.
    const startEvent = liveEvent()
    const state = await readMemberState(db, token, options.adminEmail)
    if (res.destroyed) return
    if (state === 'ended') return request.answerVisitor()
    if (state === null || state.isAdmin) return leaveToAstro(request, found)
    const shared = await findShared(request, found)
    if (shared === 'refused' || res.destroyed) return
    if (!shared) return leaveToAstro(request, found)
    const { page, live } = shared
    const relations = page.dependsOnRelations ? await readRelations(db, state.userId) : undefined
    if (!page.isSharedWith(state, relations)) return leaveToAstro(request, found)
    const liked = state.liked ?? (await filterLikedIds(db, state.userId, page.dogIds))
    const followed = await findFollowed(db, state, page.followKeys)
    await send(request, page, state, { liked, followed, liveEvent: Math.min(startEvent, live) })
  }

  /** The page of an address; null where there is none. */
  async function findShared(request: MemberRequest, { address, dog }: MemberAddress) {
    const { req, res, requestHeaders } = request
    const key = sharedKey(request, address)
    const find = () => pages.find(key, requestHeaders.written)
    const ready = find()
    if (ready) return ready
    if (dog && !pages.has(key) && !(await dog.isKnown(lookups))) return null
    // What answers from here on, a refusal too, is logged and has its headers.
    startRequestLog(req, res)
    if (!(await consumeRenderQuota(req, res))) return 'refused'
    return find() ?? pages.render(key, () => render(address, request.sidebarCookie))
  }

  return (request: MemberRequest): void => {
    const found = toMemberAddress(request.req.url ?? '/')
    if (found === null) return request.next()
    answer(request, found).catch((error: unknown) => {
      console.error('perrario · una página no se pudo componer:', error)
      const { res } = request
      if (!res.headersSent && !res.destroyed) request.next()
      else res.destroy()
    })
  }
}

const leaveToAstro = ({ next, skipFiles }: MemberRequest, { isPrerendered }: MemberAddress): void =>
  isPrerendered ? skipFiles() : next()

/** A page's key in the store: there is one of each sidebar. */
const sharedKey = ({ sidebarCookie }: MemberRequest, address: string): string => (sidebarCookie ? '#' : '') + address
