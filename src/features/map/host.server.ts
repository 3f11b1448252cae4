import { Worker } from 'node:worker_threads'
import { type MapBody, type MapFigures, type MapPage, type MapService, mapAway, shareMap } from './map.server.ts'
import type { MapQuestion, PageQuestion } from './store.server.ts'

export type Asked = { n: number } & Question
type Question = { map: MapQuestion } | { page: PageQuestion } | { figures: true }
export type Reply = { n: number } & ({ value: MapBody | MapPage | MapFigures } | { failed: true })

/** What a heap of 100,000 dogs takes at its fullest, twice. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }
/** The first index is begun this long after the start, ms, unless somebody asks before: the pages come first. */
const FIRST_AFTER = 3000
/** After a failure the thread rests, so that what fails at its start is not tried at every request. */
const REST = 5000

interface Waiting {
  done: (value: never) => void
  fail: (error: Error) => void
}

/**
 * The map of this process: a worker that holds the indexes over `dataDir`'s database, started a little after the server
 * and again when it fails. Shared as `getMap()` with Astro's bundle. Only sources start it (scripts/serve.ts, the
 * development server), so that no bundler has to find the worker's file.
 */
export function openMap(dataDir: string, firstAfter = FIRST_AFTER): MapService {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let count = 0
  let failedAt = -Infinity
  let isOpen = true

  function start(): Worker {
    const thread = new Worker(new URL('./worker.server.ts', import.meta.url), {
      workerData: { dataDir },
      resourceLimits: LIMITS,
      name: 'map',
    })
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
    const n = ++count
    return new Promise<T>((done, fail) => {
      waiting.set(n, { done, fail })
      worker!.postMessage({ n, ...question } satisfies Asked)
    })
  }

  const timer = setTimeout(() => {
    if (isOpen) worker ??= start()
  }, firstAfter)
  timer.unref()

  const map: MapService = {
    features: (question) => ask<MapBody>({ map: question }),
    page: (question) => ask<MapPage>({ page: question }),
    figures: () => ask<MapFigures>({ figures: true }),
    async close() {
      isOpen = false
      clearTimeout(timer)
      shareMap(undefined)
      await worker?.terminate()
    },
  }
  shareMap(map)
  return map
}
