import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { hasDog, hasDogPath } from '#features/dogs/paths.server.ts'
import type { Env } from '#server/env.ts'
import { clientNetwork } from '#server/connections/client-network.ts'
import { createRequestId } from '#server/log/request-id.ts'
import { DATA_POLICY } from '#server/security/content-policy.ts'
import { consumeRenderQuota } from '#server/limits/render-rate-limit.ts'
import { documentHeaders } from '#server/security/security-headers.ts'
import type { RequestLog } from '#server/log/request-log.ts'
import { type HoloThreshold, installInvalidationTriggers } from './invalidation.ts'
import { createCacheHandler } from './handler.ts'
import { setActiveStore } from './provider.ts'
import type { PageStore, RenderedPage } from './store.ts'
import { cacheTag } from '#server/cache-tags.ts'

export interface PageCache {
  /** Answers a visitor's page; calls `next` where the request is not for one. */
  answer: (req: IncomingMessage, res: ServerResponse, next: () => void) => void
  pages: PageStore
  close: () => void
}

interface PageCacheSettings {
  env: Env
  render: (url: string, cookie: string | undefined) => Promise<RenderedPage>
  holo: HoloThreshold
  requestLog: RequestLog
  pages: PageStore
}

/** Interval between checks of the operator's photo folder, ms: as often as features/breeds/operator-photos.server.ts checks it. */
const PHOTO_POLL_INTERVAL_MS = 10_000

/** Opens the page cache over the open database. `render` renders the page of an address for all visitors (astro.ts). */
export function openPageCache(db: Db, { env, render, holo, requestLog, pages }: PageCacheSettings): PageCache {
  const isWrittenElsewhere = installInvalidationTriggers(sqliteOf(db), (name) => pages.invalidate(name), holo)
  const clearAfterExternalWrite = () => {
    if (isWrittenElsewhere()) pages.clear()
  }
  const pollTimer =
    env.pageCachePollMs > 0 ? setInterval(clearAfterExternalWrite, env.pageCachePollMs).unref() : undefined
  // For a refusal; a page has its own.
  const refusalHeaders = new Headers({ ...documentHeaders(env), 'Content-Security-Policy': DATA_POLICY })
  const handler = createCacheHandler({
    pages,
    lookups: { hasDogPath: (breed, slug) => hasDogPath(db, breed, slug), hasDog: (id) => hasDog(db, id) },
    render,
    sessionCookie: sessionCookieName(env.siteUrl?.startsWith('https:') ?? false),
    startRequestLog(req, res) {
      const logEntry = requestLog(req, res, createRequestId(req, env.trustProxy))
      logEntry.kind = 'page'
      res.setHeaders(refusalHeaders)
      return logEntry.id
    },
    consumeRenderQuota: (req, res) => consumeRenderQuota(clientNetwork(req, env.trustProxy), env.rendersPerMinute, res),
  })

  const answer: PageCache['answer'] = pollTimer
    ? handler
    : (req, res, next) => {
        clearAfterExternalWrite()
        handler(req, res, next)
      }

  const photoFolder = join(env.dataDir, 'razas')
  let fingerprint = ''
  const photoTimer = setInterval(async () => {
    const current = await fingerprintFolder(photoFolder)
    // Twice: a page rendered just after the change may still show the photos from before it.
    if (current !== fingerprint)
      for (const delayMs of [0, PHOTO_POLL_INTERVAL_MS + 1000])
        setTimeout(() => pages.invalidate(cacheTag.breeds), delayMs).unref()
    fingerprint = current
  }, PHOTO_POLL_INTERVAL_MS)
  photoTimer.unref()
  void fingerprintFolder(photoFolder).then((current) => (fingerprint = current))

  setActiveStore(pages)
  return {
    answer,
    pages,
    close() {
      clearInterval(pollTimer)
      clearInterval(photoTimer)
      setActiveStore(undefined)
    },
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
