import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trx as Db } from '#db/client.ts'
import { type Area, isCluster, type MapAnswer } from '#features/map/map.ts'
import { OverrideFile } from '#features/map/index/location-overrides.server.ts'
import { type MapFilter, MapStore } from '#features/map/index/map-store.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { suite } from '#tests/support/suites.ts'

export const WHOLE_WORLD: Area[] = [[-180, -90, 180, 90]]
export const PLACES: Record<string, { lon: number; lat: number }> = {
  Madrid: { lon: -3.7, lat: 40.41 },
  Vigo: { lon: -8.72, lat: 42.23 },
  Palma: { lon: 2.65, lat: 39.57 },
}

export interface StoreWorld {
  db: Db
  dir: string
  file: string
  /** What was written to the log. */
  logged: string[]
  /** How often a zone was looked up. */
  lookedUp: string[]
  store: MapStore
  /** As the worker does it: reads, and clusters anew where something changed. */
  catchUp: (now?: number) => Promise<void>
}

/** A suite of which each test has a store of its own over an empty database. */
export function storeSuite(name: string) {
  const map = suite<StoreWorld>(name)
  map.before.each((w) => {
    w.db = freshDb()
    w.dir = mkdtempSync(join(tmpdir(), 'perrario-map-'))
    w.file = join(w.dir, 'dogs-geo.json')
    w.logged = []
    w.lookedUp = []
    const locate = async (zones: readonly string[]) => {
      w.lookedUp.push(...zones)
      return zones.map((zone) => PLACES[zone] ?? null)
    }
    w.store = new MapStore(w.db, locate, new OverrideFile(w.file, (text) => w.logged.push(text)))
    w.catchUp = async (now) => {
      await w.store.refresh(now)
      if (w.store.isStale) w.store.rebuild()
    }
  })
  map.after.each(async (w) => {
    rmSync(w.dir, { recursive: true, force: true })
    await w.db.destroy()
  })
  return map
}

export const queryStore = (w: StoreWorld, zoom = 16, filter: MapFilter = {}, areas = WHOLE_WORLD) =>
  w.store.answer({ areas, zoom, ...filter })
export const dogNames = (answer: MapAnswer) =>
  answer.features.flatMap((feature) => (isCluster(feature) ? [] : [feature.properties.name])).sort()
