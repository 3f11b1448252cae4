import { resolve } from 'node:path'
import type { Db } from '#db/client.ts'
import { userOfRequest } from '#features/auth/user.server.ts'
import { HOLO_LIKES, HOLO_RANK } from '#features/dogs/dog.server.ts'
import { type Hub, openHub } from '#features/live/hub.server.ts'
import { openMap } from '#features/map/host.server.ts'
import type { MapService } from '#features/map/map.server.ts'
import { blockedWith } from '#features/moderation/blocks.server.ts'
import { openPush } from '#features/notifications/push/open.server.ts'
import type { Sender } from '#features/notifications/push/sender.server.ts'
import { type DecodePool, openDecoders } from '#features/photos/decode/pool.server.ts'
import type { Env } from '#server/env.ts'
import { type Metrics, openMetrics } from '#server/metrics.ts'
import { isSecure } from '#server/secure.ts'
import { openWatch, type Watch } from '#server/watch.ts'
import { handToRequests } from './current.ts'
import { figuresOf } from './figures.ts'
import { openPageCache, type PageCache } from './page-cache/page-cache.ts'
import { PageStore, type Rendered } from './page-cache/store.ts'

/** Everything the program holds open, each made once. */
export interface Services {
  env: Env
  db: Db
  /** The processes that decode pictures. */
  decoders: DecodePool
  /** The streams of /api/events. */
  live: Hub
  /** The map's thread. */
  map: MapService
  /** Notices to devices; null where the keys cannot be read. */
  push: Sender | null
  /** Visitors' pages; undefined under PAGE_CACHE=off and in development. */
  pages: PageCache | undefined
  /** Figures for the operator; undefined without METRICS_TOKEN. */
  metrics: Metrics | undefined
  /** Follows requests to their end. */
  watch: Watch
}

export interface ServiceOptions {
  env: Env
  db: Db
  /** Where the processes and threads beside this one begin. */
  entries: { mapWorker: string; decoder: string }
  /** The Content-Security-Policy of pages; undefined in development, where Vite puts styles and scripts inline. */
  policy: string | undefined
  /** Renders a page for the page cache; undefined: none are kept. */
  render: ((url: string, cookie: string | undefined) => Promise<Rendered>) | undefined
  say: (text: string) => void
}

/** Opens all services, in an order in which each finds those it needs, and hands requests what they may use. */
export async function openServices({ env, db, entries, policy, render, say }: ServiceOptions): Promise<Services> {
  const decoders = openDecoders(entries.decoder)
  const live = await openHub(db, {
    identify: (req) => userOfRequest(db, req.headers.cookie, isSecure()),
    apartOf: (userId) => blockedWith(db, userId),
  })
  const map = openMap(env.dataDir, { entry: entries.mapWorker })
  const push = openPush(db, env, say)
  const store = render && env.pageCache > 0 ? new PageStore(env.pageCache) : undefined
  const figures = () => figuresOf(db, { streams: live.size, backupDir: env.backupDir })
  const metrics = env.metricsToken
    ? openMetrics({ token: env.metricsToken, pages: store, figures: figures() })
    : undefined
  const watch = openWatch({ logRequests: env.log.requests, slowAfter: env.log.slowAfter, count: metrics?.count })
  const holo = { likes: HOLO_LIKES, rank: HOLO_RANK }
  const pages = store && openPageCache(db, { env, render: render!, holo, watch, pages: store })
  handToRequests({ db, map, pushKey: push?.key ?? null, policy })
  return { env, db, decoders, live, map, push, pages, metrics, watch }
}

/** Ends the streams, so that the server has nothing left to wait for. */
export const endStreams = ({ live }: Services): void => live.close()

/** Closes what `openServices` opened, the database last. Call it once nothing is asked any more. */
export async function closeServices({ db, decoders, live, map, push, pages }: Services): Promise<void> {
  live.close()
  await decoders.close()
  await map.close()
  await push?.close()
  pages?.close()
  handToRequests(undefined)
  await db.destroy()
}

/** Where a thread or process begins: an entry of the build, or in development its source. */
export const entryOf = (root: string, name: string, source: string): string =>
  resolve(root, import.meta.env?.PROD ? `dist/server/${name}.mjs` : source)

/** Both of them (astro.config.mjs names the same to the build). */
export const entriesOf = (root: string): ServiceOptions['entries'] => ({
  mapWorker: entryOf(root, 'map-worker', 'src/features/map/worker.server.ts'),
  decoder: entryOf(root, 'decoder', 'src/features/photos/decode/child.server.ts'),
})
