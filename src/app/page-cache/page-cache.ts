import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Db, sqliteOf } from '#db/client.ts'
import { findPosition } from '#db/positions.ts'
import { noteUnknownChanges } from '#db/table-changes.ts'
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
import { createPageHandler } from './handler.ts'
import { MemberPage, VisitorPage } from './cached-pages.ts'
import { PageStore, type RenderedPage } from './page-store.ts'

export interface PageCache {
  /** Answers a page; calls `next` where the request is for none that is cached, `skipFiles` where files of the build must not answer it. */
  answer: (req: IncomingMessage, res: ServerResponse, next: () => void, skipFiles: () => void) => void
  visitors: PageStore<VisitorPage>
  members: PageStore<MemberPage>
}

/** Renders an address for all visitors, or once for all members. `cookie` is that of the closed sidebar or undefined. */
export type PageRenderer = (
  audience: 'visitors' | 'members',
  url: string,
  cookie: string | undefined,
) => Promise<RenderedPage>

interface PageCacheSettings {
  env: Env
  render: PageRenderer
  requestLog: RequestLog
  /** The event up to which the live streams are. */
  liveEvent: () => number
  /** On PostgreSQL: the changes of all nodes. Undefined on SQLite. */
  changes: ChangeFeed | undefined
}

/** The memory of pages that members share, as a part of that of visitors' pages (docs/adr/0188). */
const MEMBER_PAGES_SHARE = 0.625

/** Opens the page cache over the open database. */
export function openPageCache(db: Db, settings: PageCacheSettings): PageCache {
  const { env, render, requestLog, liveEvent, changes } = settings
  const isHttps = env.siteUrl?.startsWith('https:') ?? false
  const store = { maxLagMs: env.pageCachePollMs, live: liveEvent }
  const memberBytes = env.pageCacheBytes * MEMBER_PAGES_SHARE
  const visitors = new PageStore({ ...store, maxBytes: env.pageCacheBytes, Page: VisitorPage })
  const members = new PageStore({ ...store, maxBytes: memberBytes, Page: MemberPage })
  // For a refusal; a page has its own.
  const refusalHeaders = new Headers({ ...documentHeaders(env), 'Content-Security-Policy': DATA_POLICY })
  const answer = createPageHandler({
    db,
    visitors: { pages: visitors, render: (url, cookie) => render('visitors', url, cookie) },
    members: { pages: members, render: (url, cookie) => render('members', url, cookie) },
    lookups: { hasDogPath: (breed, slug) => hasDogPath(db, breed, slug), hasDog: (id) => hasDog(db, id) },
    adminEmail: env.adminEmail,
    liveEvent,
    catchUp: changes ? (written) => catchUpWithNodes(changes, written, env.pageCachePollMs) : askFile(db),
    consumeRenderQuota: (req, res) => consumeRenderQuota(clientNetwork(req, env.trustProxy), env.rendersPerMinute, res),
    startRequestLog(req, res) {
      const logEntry = requestLog(req, res, createRequestId(req, env.trustProxy))
      logEntry.kind = 'page'
      res.setHeaders(refusalHeaders)
      return logEntry.id
    },
    sessionCookie: sessionCookieName(isHttps),
    clearedSessionCookie: clearedSessionCookie(isHttps),
  })
  return { answer, visitors, members }
}

/** SQLite: another process (npm run admin) may have written anything, which is asked at each request, in some microseconds. */
function askFile(db: Db): () => undefined {
  const version = sqliteOf(db).prepare('PRAGMA data_version').pluck()
  let last = version.get()
  return () => {
    const current = version.get()
    if (current !== last) noteUnknownChanges()
    last = current
  }
}

/** PostgreSQL: the feed polls, and a request whose sender has just written waits until this node knows it. */
function catchUpWithNodes(changes: ChangeFeed, written: number, pollMs: number): Promise<void> | undefined {
  if (pollMs === 0) return changes.read()
  return written > findPosition() ? changes.read() : undefined
}
