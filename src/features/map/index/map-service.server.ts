import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type MapBody,
  type MapWorkerStats,
  type MapPage,
  type MapService,
  mapUnavailable,
} from '#features/map/map.server.ts'
import type { MapQuestion, PageQuestion } from './map-store.server.ts'

export type WorkerRequest = { n: number } & MapRequest
type MapRequest = { map: MapQuestion } | { page: PageQuestion } | { figures: true }
export type WorkerReply = { n: number } & ({ value: MapBody | MapPage | MapWorkerStats } | { failed: true })

/** Several times what the heap of a million dogs holds, most of whom are outside it, in columns; a small young generation,
 * since memory is dearer here than time. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }
/** With nobody looking at the map for so long, ms, its memory goes back: some 250 MB of a million dogs. */
const IDLE_TIMEOUT_MS = 10 * 60_000
const WORKER_ENTRY = join(import.meta.dirname, 'worker.server.ts')
/** After a failure the thread rests, so that what fails at its start is not tried at every request. */
const FAILURE_PAUSE_MS = 5000

interface PendingRequest {
  done: (value: never) => void
  fail: (error: Error) => void
}

/**
 * The map of this process: a worker that holds the indexes over `dataDir`'s database. It begins with the first
 * question, which waits for it, ends when there are none for a while, and begins anew after a failure.
 * @param entry where the worker begins: its source, or the entry that the build made of it
 */
export function openMapService(
  dataDir: string,
  { entry = WORKER_ENTRY, idleAfter = IDLE_TIMEOUT_MS } = {},
): MapService {
  const waiting = new Map<number, PendingRequest>()
  let worker: Worker | undefined
  let count = 0
  let failedAt = -Infinity
  let isOpen = true
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const thread = new Worker(entry, {
      workerData: { dataDir },
      resourceLimits: WORKER_LIMITS,
      name: 'map',
      // What it prints goes the way of our own words, or a log of JSON would have lines that are none.
      stdout: true,
      stderr: true,
    })
    for (const stream of [thread.stdout, thread.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => console.error(`map: ${text.trim()}`))
    thread.on('message', ({ n, ...reply }: WorkerReply) => {
      const { done, fail } = waiting.get(n)!
      waiting.delete(n)
      if ('value' in reply) done(reply.value as never)
      else fail(new Error('The map worker failed; its log line says why'))
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

  function ask<T>(question: MapRequest): Promise<T> {
    if (!isOpen || performance.now() - failedAt < FAILURE_PAUSE_MS) return Promise.reject(mapUnavailable())
    worker ??= start()
    clearTimeout(idle)
    idle = setTimeout(rest, idleAfter).unref()
    const n = ++count
    return new Promise<T>((done, fail) => {
      waiting.set(n, { done, fail })
      worker!.postMessage({ n, ...question } satisfies WorkerRequest)
    })
  }

  function rest(): void {
    if (waiting.size > 0) {
      idle = setTimeout(rest, idleAfter).unref()
      return
    }
    const thread = worker
    worker = undefined
    void thread?.terminate()
  }

  const map: MapService = {
    features: (question) => ask<MapBody>({ map: question }),
    page: (question) => ask<MapPage>({ page: question }),
    readStats: () => ask<MapWorkerStats>({ figures: true }),
    async close() {
      isOpen = false
      clearTimeout(idle)
      await worker?.terminate()
    },
  }
  return map
}
