/**
 * The program in front of Astro's development server, which loads this file through the same module graph as the pages. The
 * page cache and the files of the build are missing, since Vite serves the sources; everything else is the code of main.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { publishPhotosByRows } from '#features/photos/visibility.server.ts'
import { createPhotoHandler } from '#features/photos/render/photo-handler.server.ts'
import { openBucket } from '#features/storage/open-store.server.ts'
import { startDatabase } from '#server/db.ts'
import { getEnv } from '#server/env.ts'
import { runStartupTasks, startJobs, stopJobs } from './jobs.ts'
import { openPipeline } from './pipeline.ts'
import { closeServices, entryPaths, openServices } from './services.ts'

const root = resolve(import.meta.dirname, '../..')
const logInfo = (text: string) => console.log(`perrario · ${text}`)

const env = getEnv()
const { db } = await startDatabase(env)
await openBucket(env)
publishPhotosByRows(env.dataDir, db)
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

/** Answers what the pipeline answers itself; calls `next` (Vite and Astro) for the rest. */
export const handle: (req: IncomingMessage, res: ServerResponse, next: () => void) => void = openPipeline({
  // Vite requests each module of the sources.
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

// After an edit Vite loads the program again, which must find port, database and thread free, as at a start.
import.meta.hot?.dispose(close)
