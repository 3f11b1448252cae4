/**
 * The server: opens and migrates the database, puts Astro's handler behind static files, listens, and on SIGINT or
 * SIGTERM finishes what is in flight and closes the database. Started by scripts/start.mjs after install and build.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { userOfRequest } from '#features/auth/user.server.ts'
import { isHalfRestored, shareData } from '#features/care/lock.server.ts'
import { openBackups } from '#features/care/schedule.server.ts'
import { openSweeps } from '#features/care/sweep.server.ts'
import { openBlurs } from '#features/dogs/blurs.server.ts'
import { HOLO_LIKES, HOLO_RANK } from '#features/dogs/dog.server.ts'
import { openProvinces } from '#features/dogs/provinces.server.ts'
import { blockedWith } from '#features/moderation/blocks.server.ts'
import { openHub } from '#features/live/hub.server.ts'
import { openMap } from '#features/map/host.server.ts'
import { openDigests } from '#features/notifications/digest/schedule.server.ts'
import { openPush } from '#features/notifications/push/open.server.ts'
import { quarantineHeld } from '#features/dogs/hold.server.ts'
import { decoders } from '#features/photos/decode/pool.server.ts'
import { deliverPhotos } from '#features/photos/deliver.server.ts'
import { openPhotoMoves, settleAllPhotos } from '#features/photos/settle-moves.server.ts'
import { workerFile } from '#features/pwa/deliver.server.ts'
import { storageTrouble } from '#lib/storage.ts'
import { openPageCache } from '#server/cache/open.ts'
import { PageStore } from '#server/cache/store.ts'
import { startDatabase, stopDatabase } from '#server/db.ts'
import { EnvError, getEnv } from '#server/env.ts'
import { deliverFiles } from '#server/files/files.ts'
import { openServer, socketGiven } from '#server/listen.ts'
import { log } from '#server/log/log.ts'
import { openLog } from '#server/log/open.ts'
import { sendMail } from '#server/mail.ts'
import { openMetrics } from '#server/metrics.ts'
import { drawingPolicy, inlineOf, pagePolicy, sharePolicy } from '#server/policy.ts'
import { openRequests } from '#server/requests.ts'
import { closeFolder, keepToOurselves } from '#server/rights.ts'
import { isSecure } from '#server/session.ts'
import { drain } from '#server/stop.ts'
import { documentHeaders, resourceHeaders } from '#server/trust.ts'
import { openWatch } from '#server/watch.ts'
import { figuresOf } from './lib/figures.ts'

const say = (text: string) => log().write('info', text)

/** One clear line and exit 1: what every foreseeable failure at start ends in. */
function refuse(text: string): never {
  if (process.env.LOG === 'json') log().write('error', text)
  else process.stderr.write(`perrario · ${text}\n`)
  process.exit(1)
}

keepToOurselves()
if (existsSync('.env')) process.loadEnvFile('.env')
const env = readEnvironment()
openLog(env.log)
checkDataDir(env.dataDir)
for (const folder of [env.dataDir, env.backupDir]) closeFolder(folder)
takePart(env.dataDir)

const { db, migrated } = await startDatabase().catch((error: Error) => {
  const where = `la base de datos de ${resolve(env.dataDir)}`
  if (storageTrouble(error) === 'refused')
    refuse(`no se puede escribir en ${where}: mira sus permisos y si el disco es de solo lectura.`)
  refuse(`no se puede abrir ${where}: ${error.message}`)
})
say(migrated.length ? `base de datos al día (${migrated.length} migraciones)` : 'base de datos al día')
if (!canWrite(resolve(env.dataDir, 'perrario.db')))
  log().write('warn', 'la base de datos es de solo lectura: se enseña lo que hay y no se guarda nada.')

// The demo is filled before the port opens.
if (process.argv.includes('--demo')) {
  const { fillDemo } = await import('./demo/fill.ts')
  await fillDemo(db, env.dataDir, say)
}

// Before anybody can ask for them: what a crash between rows and files, an older release or a backup left in public.
await settleAllPhotos(db, env.dataDir, { isStart: true }).catch((error: unknown) => console.error(error))
await quarantineHeld(db, env.dataDir)

const root = resolve(import.meta.dirname, '../dist')
// The bundle imports React as a package, which is its slow development half unless told otherwise: cards render four
// times as fast.
process.env.NODE_ENV ??= 'production'
const inline = inlineOf(root)
const policy = pagePolicy(inline, env)
sharePolicy(policy)
const trust = {
  headers: resourceHeaders(env),
  page: { ...documentHeaders(env), 'Content-Security-Policy': policy },
  drawing: { 'Content-Security-Policy': drawingPolicy(inline) },
}
const { handler } = await import(resolve(root, 'server/entry.mjs'))
const live = await openHub(db, {
  identify: (req) => userOfRequest(db, req.headers.cookie, isSecure()),
  apartOf: (userId) => blockedWith(db, userId),
})
const map = openMap(env.dataDir)
const blurs = openBlurs(db, env.dataDir)
const provinces = openProvinces(db)
const push = openPush(db, env, say)
// Mails lead somewhere only where the site has an address.
const digests = env.siteUrl ? openDigests(db, { siteUrl: env.siteUrl, send: sendMail }) : null
const { backupDir } = env
const backups = env.backups && openBackups({ backupDir, script: resolve(import.meta.dirname, 'backup.ts'), say })
const photoMoves = openPhotoMoves(db, env.dataDir)
const sweeps = openSweeps(db, { dataDir: env.dataDir, say })
const store = env.pageCache > 0 ? new PageStore(env.pageCache) : undefined
const metrics = env.metricsToken
  ? openMetrics({
      token: env.metricsToken,
      pages: store,
      figures: figuresOf(db, { streams: live.size, backupDir }),
    })
  : undefined
const watch = openWatch({ logRequests: env.log.requests, slowAfter: env.log.slowAfter, count: metrics?.count })
const holo = { likes: HOLO_LIKES, rank: HOLO_RANK }
const pages = store && openPageCache(db, { env, handler, holo, watch, pages: store })

const server = openServer(
  openRequests({
    env,
    answer: pages?.answer,
    metrics: metrics?.answer ?? ((_req, _res, next) => next()),
    files: deliverFiles(root, trust, [workerFile(!env.serviceWorker)]),
    live,
    photos: deliverPhotos(env.dataDir),
    handler,
    watch,
  }),
  env,
)
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE')
    refuse(`el puerto ${env.port} está ocupado: cierra lo que lo usa o elige otro con PORT.`)
  if (error.code === 'EACCES') refuse(`no hay permiso para escuchar en el puerto ${env.port}: elige otro con PORT.`)
  refuse(`no se puede escuchar en ${env.host}:${env.port}: ${error.message}`)
})
server.listen(socketGiven(process.env) ?? { port: env.port, host: env.host }, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : env.port
  say(`listo en ${env.siteUrl ?? `http://localhost:${port}`}`)
})

let stopping = false
// SIGHUP is a terminal that was closed: what is in flight ends as well as it does for the others.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    say('cerrando: termino lo que está en marcha')
    const drained = drain(server)
    live.close()
    await drained
    decoders.close()
    await map.close()
    await blurs.close()
    await provinces.close()
    await push?.close()
    await digests?.close()
    await backups?.close()
    await sweeps.close()
    await photoMoves.close()
    pages?.close()
    await stopDatabase()
    process.exit(0)
  })

function readEnvironment() {
  try {
    return getEnv()
  } catch (error) {
    if (error instanceof EnvError) refuse(error.message)
    throw error
  }
}

function checkDataDir(dir: string) {
  if (!canWrite(dir, () => mkdirSync(dir, { recursive: true })))
    refuse(`no se puede escribir en DATA_DIR (${resolve(dir)}): crea la carpeta o dale permiso.`)
}

function canWrite(path: string, before?: () => unknown): boolean {
  try {
    before?.()
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Until this process ends: no restore begins, and none that is under way or was cut off is served. */
function takePart(dir: string) {
  const half = 'una restauración de los datos se quedó a medias: repite npm run restore.'
  if (isHalfRestored(dir)) refuse(half)
  if (!shareData(dir)) refuse('se está restaurando una copia: espera a que acabe.')
  if (isHalfRestored(dir)) refuse(half)
}
