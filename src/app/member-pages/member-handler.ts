import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressLookups } from '#app/page-cache/cache-address.ts'
import type { CacheRequestHeaders } from '#app/page-cache/request-headers.ts'
import type { RenderedPage } from '#app/page-cache/store.ts'
import { toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { cacheTag } from '#server/cache-tags.ts'
import { DATA_POLICY } from '#server/security/content-policy.ts'
import { type MemberAddress, toMemberAddress } from './member-address.ts'
import type { MemberPage, MemberPageStore, RenderedTemplate } from './member-page.ts'
import type { MemberState, MemberStates, ReaderTexts } from './member-states.ts'
import { createRenders } from './renders.ts'
import { createPageSender } from './send-page.ts'

export interface MemberHandlerOptions {
  pages: MemberPageStore
  /** Pages for single sessions; used where the states are remembered (member-states.ts). */
  ownPages: MemberPageStore
  states: MemberStates
  lookups: AddressLookups
  /** Renders an address once for all members. `cookie` is that of the closed sidebar or undefined. */
  render: (url: string, cookie: string | undefined) => Promise<RenderedTemplate>
  /** Renders an address for the member whose session the Cookie header has, with that frame. */
  renderOwn: (url: string, cookie: string, frame: ReaderTexts) => Promise<RenderedPage>
  /** The name of the session's cookie. */
  sessionCookie: string
  /** How far the live streams are (features/live/hub.server.ts). */
  position: () => number
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
  requestHeaders: Pick<CacheRequestHeaders, 'acceptEncoding' | 'ifNoneMatch'>
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
 * Answers members' pages: composed of one render for all members (template.ts) where the page says that it is shared, otherwise from one
 * for the member's session, which is cached until something that it shows changes. Whatever is neither leaves to Astro: other addresses,
 * the admin's pages, sessions that are to be renewed, and on PostgreSQL all that is not shared.
 */
export function createMemberHandler(options: MemberHandlerOptions) {
  const { pages, ownPages, states, lookups, position, render, renderOwn, consumeRenderQuota, startRequestLog } = options
  const shared = createRenders(pages, position)
  const own = createRenders(ownPages, position)
  const send = createPageSender(pages.counts)

  async function answerLater(request: MemberRequest, found: MemberAddress): Promise<void> {
    const { res, token } = request
    // Before the state is read: what happens meanwhile reaches the reader by their stream.
    const startPosition = position()
    const state = await states.find(token)
    if (res.destroyed) return
    if (state === 'ended') return request.answerVisitor()
    if (state === null || state.isAdmin) return leaveToAstro(request, found)
    const page = found.isShared ? await findShared(request, found, state) : await findOwn(request, found, state)
    if (page === 'refused' || res.destroyed) return
    if (page === null) return leaveToAstro(request, found)
    const liked = await states.findLiked(state, page.dogIds)
    const followed = await states.findFollowed(state, page.followKeys)
    await send(request, page, state, { liked, followed, position: Math.min(startPosition, page.livePosition) })
  }

  /** The page of an address that members may share, for this one; null for an address without a page. */
  async function findShared(request: MemberRequest, found: MemberAddress, state: MemberState) {
    const { req, res } = request
    const { address, dog } = found
    const lastWriteAt = states.lastWriteAt(state.userId)
    const key = sharedKey(request, address)
    const ready = shared.findPage(key, lastWriteAt)
    if (!ready) {
      if (dog && !pages.has(key) && !(await dog.isKnown(lookups))) return null
      // What answers from here on, a refusal too, is logged and has its headers.
      startRequestLog(req, res)
      if (!(await consumeRenderQuota(req, res))) return 'refused'
    }
    const page = await (ready ??
      shared.findPage(key, lastWriteAt) ??
      shared.startRender(key, () => render(address, request.sidebarCookie)))
    return page.isSharedWith(state) ? page : findOwn(request, found, state, !ready)
  }

  /**
   * The page for this session; null where nothing is cached for it.
   * @param isPaid whether the request's log entry has begun and a render was taken from its quota
   */
  async function findOwn(request: MemberRequest, found: MemberAddress, state: MemberState, isPaid = false) {
    const { req, res } = request
    const { address, isData = false } = found
    if (!states.isRemembering && !isPaid) return null
    const key = ownKey(request, address)
    // Nobody tells on PostgreSQL what the member has written since a render began.
    const ready = states.isRemembering ? own.findPage(key, states.lastWriteAt(state.userId)) : undefined
    if (!ready && !isPaid) {
      startRequestLog(req, res)
      if (!(await consumeRenderQuota(req, res))) return 'refused'
    }
    return (
      ready ?? own.startRender(key, () => renderOwnPage(request, state, found), { hasSwitches: false, isExact: isData })
    )
  }

  async function renderOwnPage(
    { token, sidebarCookie }: MemberRequest,
    state: MemberState,
    { address, isData }: MemberAddress,
  ): Promise<RenderedTemplate> {
    const session = `${options.sessionCookie}=${token}`
    // Read after the render has begun: a change from now on takes the page away, and with it this frame.
    const found = states.isRemembering ? await states.find(token) : state
    const current = found === 'ended' ? null : found
    const { userId, texts } = current ?? state
    const page = await renderOwn(address, sidebarCookie ? `${session}; ${sidebarCookie}` : session, texts)
    const ownTags = [cacheTag.own(userId), cacheTag.session(toSessionId(token)), cacheTag.moderation]
    const tags = page.tags && current && states.isRemembering ? [...page.tags, ...ownTags] : null
    // Pages bring their own policy.
    const headers = isData ? [...page.headers, ['content-security-policy', DATA_POLICY] as const] : page.headers
    return { ...page, headers, tags, unsharedWith: { people: [], hasOwnParts: false } }
  }

  /**
   * The cached page of the requested address, for a member whose state is remembered. Most addresses are written as their cache key: what
   * others lead to (`toMemberAddress`) is found out only where there is none.
   */
  function findCached(request: MemberRequest, state: MemberState): MemberPage | undefined {
    const url = request.req.url ?? '/'
    const page = pages.get(sharedKey(request, url))
    const found = page?.isSharedWith(state) ? page : ownPages.get(ownKey(request, url))
    return found?.isUsableAfter(states.lastWriteAt(state.userId)) ? found : undefined
  }

  async function answer(request: MemberRequest): Promise<void> {
    const state = states.recall(request.token)
    if (state?.liked && state.followed && !state.isAdmin) {
      const { liked, followed } = state
      const page = findCached(request, state)
      if (page?.template) return send(request, page, state, { liked, followed, position: page.livePosition })
    }
    const found = toMemberAddress(request.req.url ?? '/')
    if (found === null) return request.next()
    if (state?.isAdmin) return leaveToAstro(request, found)
    return answerLater(request, found)
  }

  return (request: MemberRequest): void =>
    void answer(request).catch((error: unknown) => {
      console.error('perrario · una página no se pudo componer:', error)
      const { res } = request
      if (!res.headersSent && !res.destroyed) request.next()
      else res.destroy()
    })
}

const leaveToAstro = ({ next, skipFiles }: MemberRequest, { isPrerendered }: MemberAddress): void =>
  isPrerendered ? skipFiles() : next()

/** A page's key in the store of shared pages: there is one of each sidebar. */
const sharedKey = ({ sidebarCookie }: MemberRequest, address: string): string => (sidebarCookie ? '#' : '') + address
/** A page's key in the store of single sessions' pages. */
const ownKey = (request: MemberRequest, address: string): string =>
  `${toSessionId(request.token)} ${sharedKey(request, address)}`
