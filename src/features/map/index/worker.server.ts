/**
 * The map's worker thread (started by map-service.server.ts): holds the store, polls the database for changes every second, and
 * answers requests. Indexes are built here, so that the main thread never waits for one and its heap stays small.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { openReadOnlyDatabase } from '#db/client.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { placeKey } from '#features/places/places.ts'
import type { WorkerRequest, WorkerReply } from './map-service.server.ts'
import { OverrideFile } from './location-overrides.server.ts'
import { type LocateZone, MapStore } from './map-store.server.ts'

const POLL_INTERVAL_MS = 1000
/** Pause after a rebuild, as a multiple of its duration: seconds for 100,000 dogs, negligible for a thousand. */
const REBUILD_PAUSE_FACTOR = 20

if (!parentPort) throw new Error('worker.server.ts runs in a worker thread only')
const port = parentPort
const { dataDir } = workerData as { dataDir: string }
const sqlite = openReadOnlyDatabase(join(dataDir, 'perrario.db'))
/** Mapbox's stored result for a text that the gazetteer does not know (places/geocode.server.ts). */
const selectGeocode = sqlite.prepare('SELECT lon, lat FROM geocodes WHERE key = ? AND place_name IS NOT NULL')
const selectNewestGeocode = sqlite.prepare('SELECT max(created_at) FROM geocodes').pluck()
const locate: LocateZone = (zone) =>
  findPlace(zone) ?? (selectGeocode.get(placeKey(zone)) as { lon: number; lat: number } | undefined) ?? null
const store = new MapStore(sqlite, locate, new OverrideFile(join(dataDir, 'dogs-geo.json')))

let version: unknown
let newestGeocode = selectNewestGeocode.get()
let rebuiltAt = 0
let rebuildMs = 0

function pollChanges(): void {
  try {
    // Changes with every commit of another connection, in any process.
    const now = sqlite.pragma('data_version', { simple: true })
    store.refresh(Date.now(), now !== version)
    version = now
    const newest = selectNewestGeocode.get()
    if (newest !== newestGeocode) store.retryUnknown()
    newestGeocode = newest
    if (store.isStale && performance.now() - rebuiltAt >= rebuildMs * REBUILD_PAUSE_FACTOR) rebuild()
  } catch (error) {
    console.error('Map index could not be refreshed:', error)
  }
}

function rebuild(): void {
  const start = performance.now()
  store.rebuild()
  rebuiltAt = performance.now()
  rebuildMs = rebuiltAt - start
}

store.refresh()
rebuild()
setInterval(pollChanges, POLL_INTERVAL_MS)

port.on('message', ({ n, ...request }: WorkerRequest) => {
  try {
    if ('map' in request) {
      const body = new TextEncoder().encode(JSON.stringify(store.answer(request.map)))
      const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
      port.postMessage({ n, value: { body, etag } } satisfies WorkerReply, [body.buffer])
    } else if ('page' in request) port.postMessage({ n, value: store.page(request.page) } satisfies WorkerReply)
    else port.postMessage({ n, value: readStats() } satisfies WorkerReply)
  } catch (error) {
    console.error('Map request failed:', error)
    port.postMessage({ n, failed: true } satisfies WorkerReply)
  }
})

/** Figures for tests/bench/map.bench.ts. */
function readStats() {
  const { used_heap_size } = getHeapStatistics()
  return { thread: threadId, placed: store.placed, buildMs: rebuildMs, heapMB: used_heap_size / 2 ** 20 }
}
