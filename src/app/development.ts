/**
 * The program before Astro's development server, which loads this file by the same module graph as the pages. Kept pages and
 * files of the build are missing, since Vite serves from the sources; everything else is the code of main.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { deliverPhotos } from '#features/photos/deliver.server.ts'
import { startDatabase } from '#server/db.ts'
import { getEnv } from '#server/env.ts'
import { beforeServing, startJobs, stopJobs } from './jobs.ts'
import { openPipeline } from './pipeline.ts'
import { closeServices, entriesOf, openServices } from './services.ts'

const root = resolve(import.meta.dirname, '../..')
const say = (text: string) => console.log(`perrario · ${text}`)

const env = getEnv()
const { db } = await startDatabase(env.dataDir)
await beforeServing({ db, env })
const services = await openServices({ env, db, entries: entriesOf(root), policy: undefined, render: undefined, say })
const jobs = startJobs(services, root, say)

/** Takes what the pipeline answers itself; the rest is for Vite and Astro. */
export const handle: (req: IncomingMessage, res: ServerResponse, next: () => void) => void = openPipeline({
  // Each module of the sources is a request.
  env: { ...env, rendersPerMinute: 0 },
  keptPages: undefined,
  files: undefined,
  astro: undefined,
  metrics: services.metrics?.answer,
  live: services.live,
  photos: deliverPhotos(env.dataDir),
  watch: services.watch,
})

export async function close(): Promise<void> {
  await stopJobs(jobs)
  await closeServices(services)
}

// An edited file: Vite loads the program anew, which must find port, database and thread as a fresh start would.
import.meta.hot?.dispose(close)
