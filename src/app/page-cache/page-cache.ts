import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import { clearedSessionCookie, sessionCookieName } from '#features/auth/auth.ts'
import { hasDog, hasDogPath } from '#features/dogs/paths.server.ts'
import type { Env } from '#server/env.ts'
import { clientNetwork } from '#server/connections/client-network.ts'
import { createRequestId } from '#server/log/request-id.ts'
import { DATA_POLICY } from '#server/security/content-policy.ts'
import { consumeRenderQuota } from '#server/limits/render-rate-limit.ts'
import { documentHeaders } from '#server/security/security-headers.ts'
import type { RequestLog } from '#server/log/request-log.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { HoloThreshold } from './invalidation.ts'
import { installInvalidationTriggers } from './sqlite-triggers.ts'
import { createMemberHandler } from '#app/member-pages/member-handler.ts'
import type { MemberPageStore, RenderedTemplate } from '#app/member-pages/member-page.ts'
import { MemberWrites } from '#app/member-pages/member-writes.ts'
import { createCacheHandler } from './handler.ts'
import { setActiveStore } from './provider.ts'
import type { PageStore, RenderedPage } from './store.ts'
import { readWrittenPosition } from './written-position.ts'
import { cacheTag } from '#server/cache-tags.ts'

export interface PageCache {
  /** Answers a page; calls `next` where the request is for none that is kept, `skipFiles` where files of the build must not answer it. */
  answer: (req: IncomingMessage, res: ServerResponse, next: () => void, skipFiles: () => void) => void
  pages: PageStore
  /** Evicts visitors' and members' pages with that cache tag. */
  invalidate: (tag: string) => void
  close: () => void
}

interface PageCacheSettings {
  env: Env
  render: (url: string, cookie: string | undefined) => Promise<RenderedPage>
  /** Renders the page of an address once for all members. */
  renderTemplate: (url: string, cookie: string | undefined) => Promise<RenderedTemplate>
  holo: HoloThreshold
  requestLog: RequestLog
  pages: PageStore
  memberPages: MemberPageStore
  /** How far the live streams are. */
  position: () => number
  /** On PostgreSQL: the changes of all nodes, which invalidate `pages`. Undefined on SQLite. */
  changes: ChangeFeed | undefined
}

/** Interval between checks of the operator's photo folder, ms: as often as features/breeds/operator-photos.server.ts checks it. */
const PHOTO_POLL_INTERVAL_MS = 10_000

/** Calls of the API that are kept for members; its documentation is a page. */
const API_CALL = /^\/api\/(?!docs)/

/** Opens the page cache over the open database. `render` renders the page of an address for all visitors (astro.ts). */
export function openPageCache(db: Db, settings: PageCacheSettings): PageCache {
  const { env, render, renderTemplate, requestLog, pages, memberPages, position, changes } = settings
  const isHttps = env.siteUrl?.startsWith('https:') ?? false
  const sessionCookie = sessionCookieName(isHttps)
  const memberWrites = new MemberWrites()
  const writes = changes
    ? followOtherNodes(changes, env.pageCachePollMs)
    : followOtherProcesses(db, memberWrites, settings)
  // For a refusal; a page has its own.
  const refusalHeaders = new Headers({ ...documentHeaders(env), 'Content-Security-Policy': DATA_POLICY })
  const startRequestLog = (req: IncomingMessage, res: ServerResponse): string => {
    const logEntry = requestLog(req, res, createRequestId(req, env.trustProxy))
    logEntry.kind = API_CALL.test(req.url ?? '') ? 'api' : 'page'
    res.setHeaders(refusalHeaders)
    return logEntry.id
  }
  const consumeQuota = (req: IncomingMessage, res: ServerResponse) =>
    consumeRenderQuota(clientNetwork(req, env.trustProxy), env.rendersPerMinute, res)
  const lookups = {
    hasDogPath: (breed: string, slug: string) => hasDogPath(db, breed, slug),
    hasDog: (id: string) => hasDog(db, id),
  }
  const answerMember = createMemberHandler({
    pages: memberPages,
    lookups,
    db,
    adminEmail: env.adminEmail,
    writes: memberWrites,
    render: renderTemplate,
    position,
    consumeRenderQuota: consumeQuota,
    startRequestLog,
    noticeOtherWrites: writes.beforeMember,
  })
  const handler = createCacheHandler({
    pages,
    lookups,
    render,
    sessionCookie,
    startRequestLog,
    consumeRenderQuota: consumeQuota,
    answerMember,
    clearedSessionCookie: clearedSessionCookie(isHttps),
  })

  const { catchUp } = writes
  const answer: PageCache['answer'] = catchUp
    ? (req, res, next, skipFiles) => {
        const read = catchUp(req)
        // Without the changes no page may be answered: Astro's own says what is wrong.
        if (read) read.then(() => !res.destroyed && handler(req, res, next, skipFiles), next)
        else handler(req, res, next, skipFiles)
      }
    : handler

  const invalidate = (tag: string) => [pages, memberPages].forEach((store) => store.invalidate(tag))
  const photoFolder = join(env.dataDir, 'razas')
  let fingerprint = ''
  const photoTimer = setInterval(async () => {
    const current = await fingerprintFolder(photoFolder)
    // Twice: a page rendered just after the change may still show the photos from before it.
    if (current !== fingerprint)
      for (const delayMs of [0, PHOTO_POLL_INTERVAL_MS + 1000])
        setTimeout(() => invalidate(cacheTag.breeds), delayMs).unref()
    fingerprint = current
  }, PHOTO_POLL_INTERVAL_MS)
  photoTimer.unref()
  void fingerprintFolder(photoFolder).then((current) => (fingerprint = current))

  setActiveStore(pages)
  return {
    answer,
    pages,
    invalidate,
    close() {
      writes.close()
      clearInterval(photoTimer)
      setActiveStore(undefined)
    },
  }
}

/** Writes that this process learns of by asking. */
interface OtherWrites {
  /** Called before a member's page is answered: another process may have ended the session. */
  beforeMember: () => void
  /** Called before a page is answered; resolves when all that it must show is known. Undefined: nothing to ask for a request. */
  catchUp: ((req: IncomingMessage) => Promise<void> | undefined) | undefined
  close: () => void
}

/** SQLite: triggers tell of this process's writes; those of others are polled for. */
function followOtherProcesses(
  db: Db,
  memberWrites: MemberWrites,
  { env, holo, pages, memberPages }: PageCacheSettings,
): OtherWrites {
  const sqlite = sqliteOf(db)
  const stores = [pages, memberPages]
  const invalidate = (tag: string) => stores.forEach((store) => store.invalidate(tag))
  const isWrittenElsewhere = installInvalidationTriggers(sqlite, invalidate, holo)
  memberWrites.watch(sqlite)
  const clearAfterExternalWrite = () => {
    if (!isWrittenElsewhere()) return
    stores.forEach((store) => store.clear())
  }
  let isChecked = false
  const common = {
    // Once for all requests that the event loop has read together: what is written after that was written after they had come.
    beforeMember() {
      if (isChecked) return
      isChecked = true
      setImmediate(() => (isChecked = false))
      clearAfterExternalWrite()
    },
  }
  if (env.pageCachePollMs === 0) return { ...common, catchUp: () => void clearAfterExternalWrite(), close() {} }
  const timer = setInterval(clearAfterExternalWrite, env.pageCachePollMs).unref()
  return { ...common, catchUp: undefined, close: () => clearInterval(timer) }
}

/** PostgreSQL: the change feed polls, and a request whose sender has just written waits until this node has read the write. */
function followOtherNodes(changes: ChangeFeed, pollMs: number): OtherWrites {
  return {
    beforeMember() {},
    catchUp(req) {
      if (pollMs === 0) return changes.read()
      const position = readWrittenPosition(req)
      return position === undefined ? undefined : changes.catchUp(position)
    },
    close() {},
  }
}

/** Names and modification times of a folder's files as one text; empty where there is no such folder. */
async function fingerprintFolder(folder: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => [])
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (s) => s.mtimeMs,
        () => 0,
      ),
    ),
  )
  return names.map((name, i) => `${name} ${times[i]}`).join('\n')
}
