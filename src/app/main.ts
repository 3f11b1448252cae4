/**
 * The program. Vite builds it together with the pages (astro.config.mjs), so that both share their modules; scripts/serve.mjs
 * starts it. It opens and migrates the database, opens the services, listens and starts the jobs. On SIGINT, SIGTERM or SIGHUP
 * it finishes the requests in flight and closes everything.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { contactTexts } from '#features/legal/contact.ts'
import { publishPhotosByRows } from '#features/photos/visibility.server.ts'
import { createPhotoHandler } from '#features/photos/render/photo-handler.server.ts'
import { workerRewrite } from '#features/pwa/worker-file.server.ts'
import { openBucket } from '#features/storage/open-store.server.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { SECOND_MS } from '#lib/time.ts'
import { reportDatabaseUnavailable } from '#server/database-outage.ts'
import { createFileHandler } from '#server/files/file-handler.ts'
import { beginDraining } from '#server/connections/draining.ts'
import { openServer, findSystemdSocket } from '#server/connections/http-server.ts'
import { consumePictureQuota } from '#server/limits/render-rate-limit.ts'
import { log } from '#server/log/log.ts'
import { openLog } from '#server/log/open-log.ts'
import { drawingPolicy, readInlineHashes, pagePolicy } from '#server/security/content-policy.ts'
import { openOperatorWarnings } from '#server/operator-warnings.ts'
import { restrictFolder, restrictUmask } from '#server/security/file-permissions.ts'
import { shutDownGracefully } from '#server/connections/graceful-shutdown.ts'
import { documentHeaders, resourceHeaders } from '#server/security/security-headers.ts'
import { renderPage, sendAstroResponse } from './astro.ts'
import { runStartupTasks, startJobs, stopJobs } from './jobs.ts'
import { openPipeline } from './pipeline.ts'
import { closeServices, endStreams, entryPaths, openServices } from './services.ts'
import {
  assertDataDirWritable,
  openDatabaseOrExit,
  readEnvOrExit,
  exitWithError,
  lockDataDir,
  warnOfBackupFolder,
  warnOfDecoder,
  warnOfStrandedMembers,
  warnOfUnnamedOperator,
} from './startup-checks.ts'

const logInfo = (text: string) => log().write('info', text)

/** The project's root: this file runs as dist/server/main.mjs. */
const root = resolve(import.meta.dirname, '../..')
const dist = resolve(root, 'dist')

restrictUmask()
if (existsSync('.env')) process.loadEnvFile('.env')
const env = readEnvOrExit()
openLog(env.log)
assertDataDirWritable(env.dataDir)
for (const folder of [env.dataDir, env.backupDir]) restrictFolder(folder)
openOperatorWarnings(env.dataDir)
warnOfBackupFolder(env)
lockDataDir(env.dataDir)
const db = await openDatabaseOrExit(env, logInfo)
// A bucket that does not answer prevents no start: the first job that needs it logs a warning.
await openBucket(env)
publishPhotosByRows(env.dataDir, db)

await runStartupTasks({ db, env })
await warnOfStrandedMembers(db, env.siteUrl)
warnOfUnnamedOperator(env.operator)

const inline = readInlineHashes(dist)
const policy = pagePolicy(inline, env)
const services = await openServices({
  env,
  db,
  entries: entryPaths(root),
  policy,
  render: renderPage,
  log: logInfo,
})
const canDecode = warnOfDecoder(services.decoder)
// The demo is filled before the port opens.
if (process.argv.includes('--demo')) {
  if (!(await canDecode)) exitWithError('sin fotos no hay demostración.')
  const { fillDemo } = await import('./demo/fill.ts')
  await fillDemo(db, env.dataDir, logInfo)
}

const fileHeaders = {
  headers: resourceHeaders(env),
  page: { ...documentHeaders(env), 'Content-Security-Policy': policy },
  drawing: { 'Content-Security-Policy': drawingPolicy(inline) },
}

const server = openServer(
  openPipeline({
    env,
    cachedPages: services.pages?.answer,
    files: createFileHandler(
      dist,
      fileHeaders,
      [workerRewrite(!env.serviceWorker)],
      env.siteUrl,
      contactTexts(env.operator),
    ),
    metrics: services.metrics?.answer,
    live: services.live,
    photos: createPhotoHandler(env.dataDir, (network) => consumePictureQuota(network, env.rendersPerMinute)),
    astro: sendAstroResponse,
    requestLog: services.requestLog,
  }),
  env,
)
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE')
    exitWithError(`el puerto ${env.port} está ocupado: cierra lo que lo usa o elige otro con PORT.`)
  if (error.code === 'EACCES')
    exitWithError(`no hay permiso para escuchar en el puerto ${env.port}: elige otro con PORT.`)
  exitWithError(`no se puede escuchar en ${env.host}:${env.port}: ${error.message}`)
})
server.listen(findSystemdSocket(env.systemd) ?? { port: env.port, host: env.host }, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : env.port
  logInfo(`listo en ${env.siteUrl ?? `http://localhost:${port}`}`)
})
const jobs = startJobs(services, root, logInfo)

// An unhandled rejection is a bug to be logged, and no reason to drop the requests of all visitors. But Astro renders the parts of a page
// at the same time and handles the first that fails: while the database is unavailable the others do so, too.
process.on('unhandledRejection', (reason) => {
  if (findStorageFailure(reason) === 'unavailable') reportDatabaseUnavailable(reason)
  else console.error('perrario · un fallo que nadie esperaba:', reason)
})

let isStopping = false
// SIGHUP is a closed terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, async () => {
    if (isStopping) return
    isStopping = true
    logInfo('cerrando: termino lo que está en marcha')
    beginDraining()
    if (env.drainSeconds > 0) await wait(env.drainSeconds * SECOND_MS)
    const drained = shutDownGracefully(server)
    endStreams(services)
    await drained
    await stopJobs(jobs)
    await closeServices(services)
    process.exit(0)
  })
