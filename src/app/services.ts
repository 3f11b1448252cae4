import { resolve } from 'node:path'
import type { Db } from '#db/client.ts'
import { followSchema } from '#db/table-changes.ts'
import { findUserIdByCookie } from '#features/auth/sessions/sessions.server.ts'
import { loadSignInKey } from '#features/auth/sign-in/sign-in-secrets.server.ts'
import { type Hub, openHub } from '#features/live/hub.server.ts'
import { openMapService } from '#features/map/index/map-service.server.ts'
import type { MapService } from '#features/map/map.server.ts'
import { findBlockedIds } from '#features/moderation/visibility.server.ts'
import { loadSiteKey } from '#features/storage/site-key.server.ts'
import { startPush } from '#features/notifications/push/push-service.server.ts'
import type { Sender } from '#features/notifications/push/sender.server.ts'
import { openPictureDecoder, type PictureDecoder } from '#features/photos/decode/decoder.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import type { Job } from '#lib/jobs.ts'
import { watchDatabase } from '#server/database-outage.ts'
import { pingDatabase } from '#server/db.ts'
import { readFreeBytes } from '#server/disk-space.ts'
import { type Env, isHttpsSite } from '#server/env.ts'
import { checkMailServer, sendMail } from '#server/mail.ts'
import { type MailQueue, openMailQueue } from '#server/mail-queue.ts'
import { shareLimits } from '#server/limits/shared-store.ts'
import type { Metrics } from '#server/metrics.ts'
import { watchDisk } from '#server/log/disk-failures.ts'
import { openRequestLog, type RequestLog } from '#server/log/request-log.ts'
import { probeDisk } from './disk-probe.ts'
import { provideToRequests } from './request-services.ts'
import { featureGauges } from './feature-gauges.ts'
import type { ChangeFeed } from './page-cache/change-feed.ts'
import { openPageCache, type PageCache, type PageRenderer } from './page-cache/page-cache.ts'

/**
 * What the program opens and closes, one instance of each. Some modules have state of their own besides, which ends with the process:
 * the environment (`getEnv`), the log, counters, rate limits (`setLimitStore`) and bodies in memory (`src/server`), the store of photos
 * (`photoStore`), what decides which of them are public (`publishPhotosByRows`), their renders (`renderState`), the decoder as
 * `ingest.server.ts` finds them (`getPictureDecoder`), what has been written of each table (db/table-changes.ts), and the wake-up calls that the
 * hub and the push sender leave with `onPublish` and `onQueued`.
 */
export interface Services {
  env: Env
  db: Db
  /** The processes that decode pictures. */
  decoder: PictureDecoder
  /** The streams of /api/events. */
  live: Hub
  /** The map's thread. */
  map: MapService
  /** Sign-in mails on their way; null without a mail server. */
  mailQueue: MailQueue | null
  /** Push notifications; null where the keys cannot be read. */
  push: Sender | null
  /** Cached pages, of visitors and of members; undefined under PAGE_CACHE=off and in development. */
  pages: PageCache | undefined
  /** Metrics for the operator; undefined without METRICS_TOKEN. */
  metrics: Metrics | undefined
  /** The changes of all nodes; undefined on SQLite, where one process serves. */
  changes: ChangeFeed | undefined
  /** Ends the watch for the end of an outage of PostgreSQL; undefined on SQLite. */
  unwatchDatabase: (() => void) | undefined
  /** The watch of the disk. */
  diskWatch: Job
  /** Logs and counts requests when they end. */
  requestLog: RequestLog
}

export interface ServiceOptions {
  env: Env
  db: Db
  /** Entry modules of the map's thread and of the decoder process. */
  entries: { mapWorker: string; decoder: string }
  /** The Content-Security-Policy of pages; undefined in development, where Vite puts styles and scripts inline. */
  policy: string | undefined
  /** Renders a page for the page cache; undefined: no page is cached. */
  render: PageRenderer | undefined
  log: (text: string) => void
}

/** Opens all services, each after those it needs, and provides requests with theirs. */
export async function openServices({ env, db, entries, policy, render, log }: ServiceOptions): Promise<Services> {
  await followSchema(db)
  loadSignInKey(env.dataDir, (text) => console.warn(`perrario · ${text}`))
  // Before anybody plays: the operator copies both files to the other nodes.
  shareLimits(db, loadSiteKey(env.dataDir))
  const unwatchDatabase = env.databaseUrl === undefined ? undefined : watchDatabase(() => pingDatabase(db))
  const diskWatch = watchDataDisk(env, db)
  const decoder = openPictureDecoder(entries.decoder, env.decoderEnvironment)
  const live = await openHub(db, {
    identify: (req) => findUserIdByCookie(db, req.headers.cookie, isHttpsSite()),
    findBlockedIds: (userId) => findBlockedIds(db, userId),
  })
  const map = openMapService(env.dataDir, { entry: entries.mapWorker, databaseUrl: env.databaseUrl })
  const mailQueue = env.smtpUrl === undefined ? null : openMailQueue({ send: sendMail, check: checkMailServer })
  const push = await startPush(db, env, log)
  const openGauges = () =>
    featureGauges(db, {
      streams: live.size,
      mails: mailQueue?.size,
      dataDir: env.dataDir,
      backupDir: env.backupDir,
      backups: env.backups,
    })
  const changes = await followChanges(db, env, live.wake)
  const requestLog = openRequestLog({
    logRequests: env.log.requests,
    slowAfterMs: env.log.slowAfterMs,
    count: (...args) => metrics?.count(...args),
  })
  const pages =
    render && env.pageCacheBytes > 0
      ? openPageCache(db, { render, env, requestLog, changes, liveEvent: live.position })
      : undefined
  // Loaded on use: its library takes 80 modules, for operators who set METRICS_TOKEN.
  const metrics = env.metricsToken
    ? (await import('#server/metrics.ts')).openMetrics({
        token: env.metricsToken,
        pageStores: pages ? { visitors: pages.visitors, members: pages.members } : {},
        gauges: openGauges(),
      })
    : undefined
  provideToRequests({ db, map, mailQueue, pushKey: push?.key ?? null, policy })
  return {
    env,
    db,
    decoder,
    live,
    map,
    mailQueue,
    push,
    pages,
    metrics,
    changes,
    unwatchDatabase,
    diskWatch,
    requestLog,
  }
}

/** Watches the disk of DATA_DIR. With PostgreSQL and a bucket only renders and mails are stored there. */
function watchDataDisk({ dataDir, databaseUrl, minFreeBytes }: Env, db: Db): Job {
  const { isRemote } = photoStore(dataDir)
  return watchDisk({
    readFreeBytes: () => readFreeBytes(dataDir),
    minFreeBytes: databaseUrl !== undefined && isRemote ? 0 : minFreeBytes,
    refusedText:
      databaseUrl === undefined ? 'no se guardan fotos, comentarios, likes ni denuncias' : 'no se guardan fotos nuevas',
    probe: () => probeDisk(db, dataDir),
  })
}

/**
 * Follows the changes of all nodes on PostgreSQL; undefined on SQLite.
 * @param onRead called when other nodes may have published events
 */
async function followChanges(db: Db, env: Env, onRead: () => void): Promise<ChangeFeed | undefined> {
  const { databaseUrl, pageCachePollMs } = env
  if (databaseUrl === undefined) return undefined
  // Loaded on use: most sites run without it.
  const { openChangeFeed } = await import('./page-cache/change-feed.ts')
  return await openChangeFeed(db, {
    url: databaseUrl,
    onRead,
    ...(pageCachePollMs > 0 && { pollIntervalMs: pageCachePollMs }),
  })
}

/** Ends the streams, so that the server has nothing left to wait for. */
export const endStreams = ({ live }: Services): void => live.close()

/** Closes what `openServices` opened, the database last. Call it after the last request has ended. */
export async function closeServices(services: Services): Promise<void> {
  const { db, decoder, live, map, mailQueue, push, changes } = services
  services.unwatchDatabase?.()
  await services.diskWatch.close()
  live.close()
  decoder.close()
  await map.close()
  await mailQueue?.close()
  await push?.close()
  await changes?.close()
  provideToRequests(undefined)
  await db.destroy()
}

/** The entry module of a thread or process: a file of the build, or in development its source. */
export const entryPath = (root: string, name: string, source: string): string =>
  resolve(root, import.meta.env?.PROD ? `dist/server/${name}.mjs` : source)

/** All entry modules; astro.config.mjs lists the same ones for the build. */
export const entryPaths = (root: string): ServiceOptions['entries'] => ({
  mapWorker: entryPath(root, 'map-worker', 'src/features/map/index/worker.server.ts'),
  decoder: entryPath(root, 'decoder', 'src/features/photos/decode/child.server.ts'),
})
