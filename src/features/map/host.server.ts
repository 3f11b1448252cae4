import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type MapBody, type MapFigures, type MapPage, type MapService, mapAway } from './map.server.ts'
import type { MapQuestion, PageQuestion } from './store.server.ts'

export type Asked = { n: number } & Question
type Question = { map: MapQuestion } | { page: PageQuestion } | { figures: true }
export type Reply = { n: number } & ({ value: MapBody | MapPage | MapFigures } | { failed: true })

/** Several times what the heap of a million dogs holds, most of whom are outside it, in columns; a small young generation,
 * since memory is dearer here than time. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }
/** With nobody looking at the map for so long, ms, its memory goes back: some 250 MB of a million dogs. */
const IDLE = 10 * 60_000
const WORKER = join(import.meta.dirname, 'worker.server.ts')
/** After a failure the thread rests, so that what fails at its start is not tried at every request. */
const REST = 5000

interface Waiting {
  done: (value: never) => void
  fail: (error: Error) => void
}

/**
 * The map of this process: a worker that holds the indexes over `dataDir`'s database. It begins with the first
 * question, which waits for it, ends when there are none for a while, and begins anew after a failure.
 * @param entry where the worker begins: its source, or the entry that the build made of it
 */
export function openMap(dataDir: string, { entry = WORKER, idleAfter = IDLE } = {}): MapService {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let count = 0
  let failedAt = -Infinity
  let isOpen = true
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const thread = new Worker(entry, {
      workerData: { dataDir },
      resourceLimits: LIMITS,
      name: 'map',
      // What it prints goes the way of our own words, or a log of JSON would have lines that are none.
      stdout: true,
      stderr: true,
    })
    for (const stream of [thread.stdout, thread.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => console.error(`map: ${text.trim()}`))
    thread.on('message', ({ n, ...reply }: Reply) => {
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
      for (const { fail } of waiting.values()) fail(mapAway())
      waiting.clear()
    })
    return thread
  }

  function ask<T>(question: Question): Promise<T> {
    if (!isOpen || performance.now() - failedAt < REST) return Promise.reject(mapAway())
    worker ??= start()
    clearTimeout(idle)
    idle = setTimeout(rest, idleAfter).unref()
    const n = ++count
    return new Promise<T>((done, fail) => {
      waiting.set(n, { done, fail })
      worker!.postMessage({ n, ...question } satisfies Asked)
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
    figures: () => ask<MapFigures>({ figures: true }),
    async close() {
      isOpen = false
      clearTimeout(idle)
      await worker?.terminate()
    },
  }
  return map
}
