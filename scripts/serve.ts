/**
 * The server: opens and migrates the database, puts Astro's handler behind static files, listens, and on SIGINT or
 * SIGTERM finishes what is in flight and closes the database. Started by scripts/start.mjs after install and build.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createServer, type ServerResponse, STATUS_CODES } from 'node:http'
import { resolve } from 'node:path'
import sirv from 'sirv'
import { userOfRequest } from '#features/auth/user.server.ts'
import { openHub } from '#features/live/hub.server.ts'
import { openMap } from '#features/map/host.server.ts'
import { openDigests } from '#features/notifications/digest/schedule.server.ts'
import { openPush } from '#features/notifications/push/open.server.ts'
import { deliverPhotos } from '#features/photos/deliver.server.ts'
import { deliverWorker } from '#features/pwa/deliver.server.ts'
import { SESSION_HEADER } from '#lib/offline.ts'
import { startDatabase, stopDatabase } from '#server/db.ts'
import { drainOf } from '#server/drain.ts'
import { EnvError, getEnv } from '#server/env.ts'
import { clientIp } from '#server/ip.ts'
import { sendMail } from '#server/mail.ts'
import { isSecure } from '#server/session.ts'

const say = (text: string) => console.log(`perrario · ${text}`)

/** One clear line and exit 1: what every foreseeable failure at start ends in. */
function refuse(text: string): never {
  console.error(`perrario · ${text}`)
  process.exit(1)
}

if (existsSync('.env')) process.loadEnvFile('.env')
const env = readEnvironment()
checkDataDir(env.dataDir)

const { db, migrated } = await startDatabase().catch((error: Error) =>
  refuse(`no se puede abrir la base de datos de ${resolve(env.dataDir)}: ${error.message}`),
)
say(migrated.length ? `base de datos al día (${migrated.length} migraciones)` : 'base de datos al día')

// The demo is filled before the port opens.
if (process.argv.includes('--demo')) {
  const { fillDemo } = await import('./demo/fill.ts')
  await fillDemo(db, env.dataDir, say)
}

const root = resolve(import.meta.dirname, '../dist')
// The bundle imports React as a package, which is its slow development half unless told otherwise: cards render four
// times as fast.
process.env.NODE_ENV ??= 'production'
const { handler } = await import(resolve(root, 'server/entry.mjs'))
// Hashed names never change; the rest (prerendered pages, icons) is asked for again and mostly answered 304.
const hashed = sirv(resolve(root, 'client/_astro'), { immutable: true, maxAge: 31_536_000, etag: true })
const files = sirv(resolve(root, 'client'), {
  etag: true,
  maxAge: 0,
  extensions: ['html'],
  // An album's spread shows two dozen drawings, which change only with a build: asked about once an hour, in the background.
  setHeaders: (res, path) => {
    if (/^\/(retratos|dibujos)\//.test(path))
      res.setHeader('Cache-Control', 'public, max-age=3600, stale-while-revalidate=604800')
    // Prerendered pages, whose address has no ending.
    if (!/\.\w+$/.test(path)) res.setHeader(SESSION_HEADER, 'any')
  },
})
const photos = deliverPhotos(env.dataDir)
const worker = deliverWorker(resolve(root, 'client'), !env.serviceWorker)
const live = await openHub(db, { identify: (req) => userOfRequest(db, req.headers.cookie, isSecure()) })
const map = openMap(env.dataDir)
const push = openPush(db, env, say)
// Mails lead somewhere only where the site has an address.
const digests = env.siteUrl ? openDigests(db, { siteUrl: env.siteUrl, send: sendMail }) : null

const server = createServer((req, res) => {
  const ip = clientIp(req, env.trustProxy)
  nameStatus(res)
  const render = () => handler(req, res, undefined, { ip, drained: drainOf(res) })
  if (req.method !== 'GET' && req.method !== 'HEAD') return void render()
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (req.url?.startsWith('/_astro/')) {
    req.url = req.url.slice('/_astro'.length)
    return hashed(req, res, () => void res.writeHead(404).end())
  }
  live.handle(req, res, ip, () => void photos(req, res, () => worker(req, res, () => files(req, res, render))))
})
// A client has a minute for its headers and five for a slow upload; then its socket is free again.
server.headersTimeout = 60_000
server.requestTimeout = 300_000

server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE')
    refuse(`el puerto ${env.port} está ocupado: cierra lo que lo usa o elige otro con PORT.`)
  if (error.code === 'EACCES') refuse(`no hay permiso para escuchar en el puerto ${env.port}: elige otro con PORT.`)
  refuse(`no se puede escuchar en ${env.host}:${env.port}: ${error.message}`)
})
server.listen(env.port, env.host, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : env.port
  say(`listo en ${env.siteUrl ?? `http://localhost:${port}`}`)
})

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    say('cerrando: termino lo que está en marcha')
    // Requests in flight end by themselves; connections kept alive with nothing to do are dropped at once.
    server.close(async () => {
      await map.close()
      await push?.close()
      await digests?.close()
      await stopDatabase()
      process.exit(0)
    })
    live.close()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 10_000).unref()
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
  try {
    mkdirSync(dir, { recursive: true })
    accessSync(dir, constants.W_OK)
  } catch {
    refuse(`no se puede escribir en DATA_DIR (${resolve(dir)}): crea la carpeta o dale permiso.`)
  }
}

/** Astro writes «OK» behind every status, 404 too. */
function nameStatus(res: ServerResponse) {
  Object.defineProperty(res, 'statusMessage', { get: () => STATUS_CODES[res.statusCode] ?? '', set: () => {} })
}
