/**
 * The program. Vite builds it together with the pages (astro.config.mjs), so that both share their modules; scripts/serve.mjs
 * starts it. Opens and migrates the database, opens the services, listens, begins the jobs, and on SIGINT, SIGTERM or SIGHUP
 * finishes what is in flight and closes all of it.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { deliverPhotos } from '#features/photos/deliver.server.ts'
import { workerFile } from '#features/pwa/deliver.server.ts'
import { deliverFiles } from '#server/files/files.ts'
import { openServer, socketGiven } from '#server/listen.ts'
import { log } from '#server/log/log.ts'
import { openLog } from '#server/log/open.ts'
import { drawingPolicy, inlineOf, pagePolicy } from '#server/policy.ts'
import { closeFolder, keepToOurselves } from '#server/rights.ts'
import { drain } from '#server/stop.ts'
import { documentHeaders, resourceHeaders } from '#server/trust.ts'
import { renderPage, respond } from './astro.ts'
import { beforeServing, startJobs, stopJobs } from './jobs.ts'
import { openPipeline } from './pipeline.ts'
import { closeServices, endStreams, entriesOf, openServices } from './services.ts'
import { checkDataDir, openData, readEnvironment, refuse, takePart } from './start.ts'

const say = (text: string) => log().write('info', text)

/** The project's folder: this file runs as dist/server/main.mjs. */
const root = resolve(import.meta.dirname, '../..')
const dist = resolve(root, 'dist')

keepToOurselves()
if (existsSync('.env')) process.loadEnvFile('.env')
const env = readEnvironment()
openLog(env.log)
checkDataDir(env.dataDir)
for (const folder of [env.dataDir, env.backupDir]) closeFolder(folder)
takePart(env.dataDir)
const db = await openData(env.dataDir, say)

await beforeServing({ db, env })

const inline = inlineOf(dist)
const policy = pagePolicy(inline, env)
const services = await openServices({ env, db, entries: entriesOf(root), policy, render: renderPage, say })
// The demo is filled before the port opens.
if (process.argv.includes('--demo')) {
  const { fillDemo } = await import('./demo/fill.ts')
  await fillDemo(db, env.dataDir, say)
}

const headersOfFiles = {
  headers: resourceHeaders(env),
  page: { ...documentHeaders(env), 'Content-Security-Policy': policy },
  drawing: { 'Content-Security-Policy': drawingPolicy(inline) },
}

const server = openServer(
  openPipeline({
    env,
    keptPages: services.pages?.answer,
    files: deliverFiles(dist, headersOfFiles, [workerFile(!env.serviceWorker)]),
    metrics: services.metrics?.answer,
    live: services.live,
    photos: deliverPhotos(env.dataDir),
    astro: respond,
    watch: services.watch,
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
const jobs = startJobs(services, root, say)

// A promise that nobody waited for is a fault of ours to be read in the log, and no reason to drop everybody's requests.
process.on('unhandledRejection', (reason) => console.error('Unhandled rejection:', reason))

let stopping = false
// SIGHUP is a terminal that was closed: what is in flight ends as well as it does for the others.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    say('cerrando: termino lo que está en marcha')
    const drained = drain(server)
    endStreams(services)
    await drained
    await stopJobs(jobs)
    await closeServices(services)
    process.exit(0)
  })
