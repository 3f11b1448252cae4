/**
 * The program before Astro's development server, which loads this file by the same module graph as the pages. Kept pages and
 * files of the build are missing, since Vite serves from the sources; everything else is the code of main.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { createPhotoHandler } from '#features/photos/render/photo-handler.server.ts'
import { startDatabase } from '#server/db.ts'
import { getEnv } from '#server/env.ts'
import { runStartupTasks, startJobs, stopJobs } from './jobs.ts'
import { openPipeline } from './pipeline.ts'
import { closeServices, entryPaths, openServices } from './services.ts'

const root = resolve(import.meta.dirname, '../..')
const logInfo = (text: string) => console.log(`perrario · ${text}`)

const env = getEnv()
const { db } = await startDatabase(env.dataDir)
await runStartupTasks({ db, env })
const services = await openServices({
  env,
  db,
  entries: entryPaths(root),
  policy: undefined,
  render: undefined,
  log: logInfo,
})
const jobs = startJobs(services, root, logInfo)

/** Takes what the pipeline answers itself; the rest is for Vite and Astro. */
export const handle: (req: IncomingMessage, res: ServerResponse, next: () => void) => void = openPipeline({
  // Each module of the sources is a request.
  env: { ...env, rendersPerMinute: 0 },
  cachedPages: undefined,
  files: undefined,
  astro: undefined,
  metrics: services.metrics?.answer,
  live: services.live,
  photos: createPhotoHandler(env.dataDir),
  requestLog: services.requestLog,
})

export async function close(): Promise<void> {
  await stopJobs(jobs)
  await closeServices(services)
}

// An edited file: Vite loads the program anew, which must find port, database and thread as a fresh start would.
import.meta.hot?.dispose(close)
