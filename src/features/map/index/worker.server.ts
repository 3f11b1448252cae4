/**
 * The map's worker thread (started by map-service.server.ts): holds the store, polls the database for changes every second, and
 * answers requests. Indexes are built here, so that the main thread never waits for one and its heap stays small.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { inTexts } from '#db/dialect/expressions.ts'
import { openDatabaseToRead } from '#db/location.ts'
import { errorCode } from '#lib/error-code.ts'
import { readWriteMarker } from '#db/dialect/write-marker.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { placeKey } from '#features/places/places.ts'
import type { MapRequest, MapWorkerData, WorkerRequest, WorkerReply } from './map-service.server.ts'
import { OverrideFile } from './location-overrides.server.ts'
import { type LocateZones, MapStore, type Place } from './map-store.server.ts'

const POLL_INTERVAL_MS = 1000
/** Pause after a rebuild, as a multiple of its duration: seconds for 100,000 dogs, negligible for a thousand. */
const REBUILD_PAUSE_FACTOR = 20

if (!parentPort) throw new Error('worker.server.ts runs in a worker thread only')
const port = parentPort
const settings = workerData as MapWorkerData
const db = await openDatabaseToRead(settings)

/** By the gazetteer, or Mapbox's stored result for a text that it does not know (places/geocode.server.ts). */
const locate: LocateZones = async (zones) => {
  const known = zones.map((zone) => findPlace(zone))
  const unknown = zones.filter((_, i) => !known[i]).map(placeKey)
  const geocodes = unknown.length > 0 ? await readGeocodes(unknown) : new Map<string, Place>()
  return zones.map((zone, i) => known[i] ?? geocodes.get(placeKey(zone)) ?? null)
}

async function readGeocodes(keys: readonly string[]): Promise<Map<string, Place>> {
  const rows = await db
    .selectFrom('geocodes')
    .select(['key', 'lon', 'lat'])
    .where(inTexts(db, 'key', keys))
    .where('place_name', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ key, lon, lat }) => (lon === null || lat === null ? [] : [[key, { lon, lat }]])))
}

async function readNewestGeocode(): Promise<number | null> {
  const newest = await db.selectFrom('geocodes').select('created_at').orderBy('created_at', 'desc').limit(1).execute()
  return newest[0]?.created_at ?? null
}

const store = new MapStore(db, locate, new OverrideFile(join(settings.dataDir, 'dogs-geo.json')))

let marker = ''
let newestGeocode = await readNewestGeocode()
let rebuiltAt = 0
let rebuildMs = 0
let isPolling = false
let hasFailed = false

async function pollChanges(): Promise<void> {
  if (isPolling) return
  isPolling = true
  try {
    const now = await readWriteMarker(db)
    await store.refresh(Date.now(), now !== marker)
    marker = now
    const newest = await readNewestGeocode()
    if (newest !== newestGeocode) await store.retryUnknown()
    newestGeocode = newest
    if (store.isStale && performance.now() - rebuiltAt >= rebuildMs * REBUILD_PAUSE_FACTOR) rebuild()
    hasFailed = false
  } catch (error) {
    // One line: PostgreSQL may be starting, and the next poll is soon.
    if (!hasFailed)
      console.error(`perrario · el índice del mapa no se pudo poner al día (${errorCode(error) || String(error)})`)
    hasFailed = true
  } finally {
    isPolling = false
  }
}

function rebuild(): void {
  const start = performance.now()
  store.rebuild()
  rebuiltAt = performance.now()
  rebuildMs = rebuiltAt - start
}

await store.refresh()
rebuild()
setInterval(() => void pollChanges(), POLL_INTERVAL_MS)

async function answer(request: MapRequest): Promise<Extract<WorkerReply, { value: unknown }>['value']> {
  if ('page' in request) return await store.page(request.page)
  if (!('map' in request)) return readStats()
  const body = new TextEncoder().encode(JSON.stringify(await store.answer(request.map)))
  return { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

port.on('message', ({ n, ...request }: WorkerRequest) => {
  answer(request).then(
    (value) =>
      port.postMessage({ n, value } satisfies WorkerReply, 'body' in value ? [value.body.buffer as ArrayBuffer] : []),
    (error: unknown) => {
      console.error('perrario · una consulta del mapa falló:', error)
      port.postMessage({ n, failed: true } satisfies WorkerReply)
    },
  )
})

/** Figures for tests/bench/map.bench.ts. */
function readStats() {
  const { used_heap_size } = getHeapStatistics()
  return { thread: threadId, placed: store.placed, buildMs: rebuildMs, heapMB: used_heap_size / 2 ** 20 }
}
