/**
 * The map's own thread (started by host.server.ts): holds the store, looks every second whether the database changed, and
 * answers. Indexes are built here, so the thread that serves pages never waits for one and its heap stays small.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { openForReading } from '#db/client.ts'
import { findPlace } from '#features/places/find.server.ts'
import { placeKey } from '#features/places/places.ts'
import type { Asked, Reply } from './host.server.ts'
import { OverrideFile } from './override.server.ts'
import { type Locate, MapStore } from './store.server.ts'

const LOOK_EVERY = 1000
/** A rebuild may take this share of the thread's time: of 100,000 dogs every few seconds, of a thousand at once. */
const SHARE = 20

const { dataDir } = workerData as { dataDir: string }
const sqlite = openForReading(join(dataDir, 'perrario.db'))
/** What Mapbox said of a text that the gazetteer does not know, where somebody has asked (places/geocode.server.ts). */
const kept = sqlite.prepare('SELECT lon, lat FROM geocodes WHERE key = ? AND place_name IS NOT NULL')
const newestKept = sqlite.prepare('SELECT max(created_at) FROM geocodes').pluck()
const locate: Locate = (zone) =>
  findPlace(zone) ?? (kept.get(placeKey(zone)) as { lon: number; lat: number } | undefined) ?? null
const store = new MapStore(sqlite, locate, new OverrideFile(join(dataDir, 'dogs-geo.json')))

let version: unknown
let learnt = newestKept.get()
let built = 0
let took = 0

function look(): void {
  try {
    // Changes with every commit of another connection, of this process or not.
    const now = sqlite.pragma('data_version', { simple: true })
    store.refresh(Date.now(), now !== version)
    version = now
    const newest = newestKept.get()
    if (newest !== learnt) store.retryUnknown()
    learnt = newest
    if (store.isStale && performance.now() - built >= took * SHARE) rebuild()
  } catch (error) {
    console.error(error)
  }
}

function rebuild(): void {
  const start = performance.now()
  store.rebuild()
  built = performance.now()
  took = built - start
}

store.refresh()
rebuild()
setInterval(look, LOOK_EVERY)

parentPort!.on('message', ({ n, ...asked }: Asked) => {
  try {
    if ('map' in asked) {
      const body = new TextEncoder().encode(JSON.stringify(store.answer(asked.map)))
      const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
      parentPort!.postMessage({ n, value: { body, etag } } satisfies Reply, [body.buffer])
    } else if ('page' in asked) parentPort!.postMessage({ n, value: store.page(asked.page) } satisfies Reply)
    else parentPort!.postMessage({ n, value: figures() } satisfies Reply)
  } catch (error) {
    console.error(error)
    parentPort!.postMessage({ n, failed: true } satisfies Reply)
  }
})

/** What bench/map.bench.ts prints. */
function figures() {
  const { used_heap_size } = getHeapStatistics()
  return { thread: threadId, placed: store.placed, buildMs: took, heapMB: used_heap_size / 2 ** 20 }
}
