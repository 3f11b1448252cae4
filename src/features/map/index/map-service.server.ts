import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type MapBody,
  type MapWorkerStats,
  type MapPage,
  type MapService,
  mapUnavailable,
} from '#features/map/map.server.ts'
import type { DatabaseLocation } from '#db/location.ts'
import type { MarksRequest, DogPageRequest } from './map-store.server.ts'

export type WorkerRequest = { n: number } & MapRequest
export type MapRequest = { map: MarksRequest } | { page: DogPageRequest } | { figures: true }
/** Where the worker finds the data. */
export type MapWorkerData = DatabaseLocation
export type WorkerReply = { n: number } & ({ value: MapBody | MapPage | MapWorkerStats } | { failed: true })

/** Twice the heap of a million dogs; a small young generation, because memory matters more here than time. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 8 }
/** After this long without a request the worker ends, which frees some 80 MB of 100,000 dogs. */
const IDLE_TIMEOUT_MS = 10 * 60_000
const WORKER_ENTRY = join(import.meta.dirname, 'worker.server.ts')
/** Pause after a failure, so that a worker that fails at its start is not started by every request. */
const FAILURE_PAUSE_MS = 5000

interface MapServiceOptions {
  entry?: string
  idleAfter?: number
  databaseUrl?: string | undefined
}

interface PendingRequest {
  done: (value: never) => void
  fail: (error: Error) => void
}

/**
 * The map of this process: a worker that holds the indexes over the database. It starts with the first request, which
 * waits for it, ends after `idleAfter` ms without one, and restarts after a failure.
 * @param databaseUrl undefined: the database is in `dataDir`
 * @param entry the module that the worker runs: its source, or the entry of the build
 */
export function openMapService(
  dataDir: string,
  { entry = WORKER_ENTRY, idleAfter = IDLE_TIMEOUT_MS, databaseUrl }: MapServiceOptions = {},
): MapService {
  const waiting = new Map<number, PendingRequest>()
  let worker: Worker | undefined
  let count = 0
  let failedAt = -Infinity
  let isOpen = true
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const thread = new Worker(entry, {
      workerData: { dataDir, databaseUrl } satisfies MapWorkerData,
      resourceLimits: WORKER_LIMITS,
      name: 'map',
      // Its output goes through our log, or a JSON log would have lines that are no JSON.
      stdout: true,
      stderr: true,
    })
    for (const stream of [thread.stdout, thread.stderr])
      stream
        .setEncoding('utf8')
        .on('data', (text: string) => console.error(`perrario · mapa: ${text.trim().replace(/^perrario · /gm, '')}`))
    thread.on('message', ({ n, ...reply }: WorkerReply) => {
      const request = waiting.get(n)
      waiting.delete(n)
      if ('value' in reply) request?.done(reply.value as never)
      else request?.fail(new Error('The map worker failed; its log line says why'))
    })
    thread.on('error', (error) => console.error(error))
    thread.on('exit', () => {
      if (worker !== thread) return
      worker = undefined
      failedAt = performance.now()
      for (const { fail } of waiting.values()) fail(mapUnavailable())
      waiting.clear()
    })
    return thread
  }

  function send<T>(request: MapRequest): Promise<T> {
    if (!isOpen || performance.now() - failedAt < FAILURE_PAUSE_MS) return Promise.reject(mapUnavailable())
    const thread = (worker ??= start())
    clearTimeout(idle)
    idle = setTimeout(endIfIdle, idleAfter).unref()
    const n = ++count
    return new Promise<T>((done, fail) => {
      waiting.set(n, { done, fail })
      thread.postMessage({ n, ...request } satisfies WorkerRequest)
    })
  }

  function endIfIdle(): void {
    if (waiting.size > 0) {
      idle = setTimeout(endIfIdle, idleAfter).unref()
      return
    }
    const thread = worker
    worker = undefined
    void thread?.terminate()
  }

  const map: MapService = {
    features: (request) => send<MapBody>({ map: request }),
    page: (request) => send<MapPage>({ page: request }),
    readStats: () => send<MapWorkerStats>({ figures: true }),
    async close() {
      isOpen = false
      clearTimeout(idle)
      await worker?.terminate()
    },
  }
  return map
}
