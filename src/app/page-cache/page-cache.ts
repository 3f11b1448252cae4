import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import type { Env } from '#server/env.ts'
import { clientIp } from '#server/connections/client-ip.ts'
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
  /** Answers a visitor's page; false where the request is not for one. */
  answer: (req: IncomingMessage, res: ServerResponse) => boolean
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

/** How often the operator's folder of photos is looked at, ms: as often as pages themselves look (features/breeds/operator). */
const PHOTO_POLL_INTERVAL_MS = 10_000

/** The page cache over the open database. `render` makes the page of an address for nobody in particular (astro.ts). */
export function openPageCache(db: Db, { env, render, holo, requestLog, pages }: PageCacheSettings): PageCache {
  const sqlite = sqliteOf(db)
  const isWrittenElsewhere = installInvalidationTriggers(sqlite, (name) => pages.invalidate(name), holo)
  const clearAfterExternalWrite = () => {
    if (isWrittenElsewhere()) pages.clear()
  }
  const looking =
    env.pageCachePollMs > 0 ? setInterval(clearAfterExternalWrite, env.pageCachePollMs).unref() : undefined
  const findPath = sqlite.prepare('SELECT 1 FROM dog_paths WHERE breed_slug = ? AND slug = ?')
  const findDog = sqlite.prepare('SELECT 1 FROM dogs WHERE id = ?')
  // For a refusal; a page brings its own.
  const said = new Headers({ ...documentHeaders(env), 'Content-Security-Policy': DATA_POLICY })
  const front = createCacheHandler({
    pages,
    lookups: {
      hasDogPath: (breed, slug) => pages.has(`/${breed}/${slug}`) || findPath.get(breed, slug) !== undefined,
      hasDog: (id) => findDog.get(id) !== undefined,
    },
    render,
    sessionCookie: sessionCookieName(env.siteUrl?.startsWith('https:') ?? false),
    startRequestLog(req, res) {
      const watched = requestLog(req, res, createRequestId(req, env.trustProxy))
      watched.kind = 'page'
      res.setHeaders(said)
      return watched.id
    },
    consumeRenderQuota: (req, res) => consumeRenderQuota(clientIp(req, env.trustProxy), env.rendersPerMinute, res),
  })

  const answer: PageCache['answer'] = looking
    ? front
    : (req, res) => {
        clearAfterExternalWrite()
        return front(req, res)
      }

  let photos = ''
  const timer = setInterval(async () => {
    const now = await fingerprintFolder(join(env.dataDir, 'razas'))
    // Twice: a page rendered just after the change may still have been told of the photos before it.
    if (now !== photos)
      for (const wait of [0, PHOTO_POLL_INTERVAL_MS + 1000])
        setTimeout(() => pages.invalidate(cacheTag.breeds), wait).unref()
    photos = now
  }, PHOTO_POLL_INTERVAL_MS)
  timer.unref()
  void fingerprintFolder(join(env.dataDir, 'razas')).then((now) => (photos = now))

  setActiveStore(pages)
  return {
    answer,
    pages,
    close() {
      clearInterval(looking)
      clearInterval(timer)
      setActiveStore(undefined)
    },
  }
}

/** What lies in a folder and since when, as one text; empty where there is no such folder. */
async function fingerprintFolder(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [] as string[])
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
