/**
 * The map with 100,000 dogs, half of them in the demo's towns, half in municipalities chosen by their people: its index, its answers at every
 * zoom, the memory of its thread and of the server. BENCH_DOGS names another size.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import gazetteer from '#data/gazetteer.json' with { type: 'json' }
import { openMapService } from '#features/map/index/map-service.server.ts'
import type { Area, MapAnswer } from '#features/map/map.ts'
import { OverrideFile } from '#features/map/index/location-overrides.server.ts'
import { MapStore } from '#features/map/index/map-store.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { openDatabaseToRead } from '#db/location.ts'
import { createRandom as makeDice } from '#app/demo/random.ts'
import { percentilesOf, peakMB, residentMB, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { openWorld } from './lib/world.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)
const ZOOMS = [1, 2, 4, 6, 8, 10, 12, 13, 14, 15, 16, 18]
const ROUNDS = 60

/** Half the dogs move to a municipality, the large ones oftener. */
function scatterDogs(db: Db): void {
  const sqlite = sqliteOf(db)
  const dice = makeDice(5)
  const towns = gazetteer.places
    .map((line) => line.split(';'))
    .filter(([kind]) => kind === 'm')
    .map(([, , , names, , , people]): [string, number] => [names!.split('|')[0]!, Number(people) + 1])
  const sums: number[] = []
  for (const [, people] of towns) sums.push((sums.at(-1) ?? 0) + people)
  const pick = () => {
    const at = dice.next() * sums.at(-1)!
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < at) low = middle + 1
      else high = middle
    }
    return towns[low]![0]
  }
  const move = sqlite.prepare('UPDATE dogs_all SET zone = ? WHERE id = ?')
  sqlite.transaction(() => {
    for (const { id } of sqlite.prepare('SELECT id FROM dogs').all() as { id: string }[])
      if (dice.chance(0.5)) move.run(pick(), id)
  })()
}

/** A desktop's view (1320 x 700 px of 256 px tiles) around a point. */
function viewAround(zoom: number, lon: number, lat: number): Area {
  const width = (1320 / (256 * 2 ** zoom)) * 360
  const height = (700 / (256 * 2 ** zoom)) * 360 * Math.cos((lat * Math.PI) / 180)
  if (width >= 360) return [-180, -85, 180, 85]
  return [lon - width / 2, Math.max(-85, lat - height / 2), lon + width / 2, Math.min(85, lat + height / 2)]
}

const VIEW_CENTRES: [string, number, number][] = [
  ['Madrid', -3.7038, 40.4168],
  ['Barcelona', 2.17, 41.385],
  ['Valencia', -0.376, 39.47],
]

const world = await openWorld(DOGS)
const { dataDir } = world
scatterDogs(world.db)

findPlace('Madrid')
const builds: string[][] = []
for (let i = 0; i < 3; i++) {
  const reader = await openDatabaseToRead({ dataDir, databaseUrl: undefined })
  const locate = async (zones: readonly string[]) => zones.map((zone) => findPlace(zone))
  const store = new MapStore(reader, locate, new OverrideFile(join(dataDir, 'none.json')))
  const start = performance.now()
  await store.refresh()
  const read = performance.now()
  store.rebuild()
  const built = performance.now()
  store.rebuild()
  const again = performance.now()
  await store.refresh()
  const looked = performance.now()
  const filtered = performance.now()
  await store.answer({ areas: [[-180, -85, 180, 85]], zoom: 6, size: 'mediano' })
  const answered = performance.now()
  builds.push([
    ...[read - start, built - read, built - start, again - built, looked - again].map((ms) => ms.toFixed(0)),
    (answered - filtered).toFixed(0),
  ])
  await reader.destroy()
}
console.log(`${DOGS} perros`)
printTable(['leer', 'índice', 'los dos', 'otra vez', 'mirar sin cambios', 'primer índice de un tamaño (ms)'], builds)

const map = openMapService(dataDir)
const boot = performance.now()
await map.readStats()
console.log(`hilo en marcha con su índice: ${Math.round(performance.now() - boot)} ms`)
const decoder = new TextDecoder()
const rows: (string | number)[][] = []
for (const zoom of ZOOMS) {
  const times: number[] = []
  let [features, bytes, visible] = [0, 0, 0]
  for (let i = -6; i < ROUNDS; i++) {
    const [, lon, lat] = VIEW_CENTRES[(i + 6) % VIEW_CENTRES.length]!
    const start = performance.now()
    const { body } = await map.features({ areas: [viewAround(zoom, lon, lat)], zoom })
    if (i >= 0) times.push(performance.now() - start)
    if (i < 0) {
      const answer = JSON.parse(decoder.decode(body)) as MapAnswer
      features = Math.max(features, answer.features.length)
      visible = Math.max(visible, answer.visible)
      bytes = Math.max(bytes, gzipSync(body).length)
    }
  }
  const { median, p99 } = percentilesOf(times)
  rows.push([String(zoom), median.toFixed(2), p99.toFixed(2), String(features), String(visible), bytes / 1000])
}
printTable(['zoom', 'mediana ms', 'p99', 'elementos, como mucho', 'perros a la vista', 'kB gzip, como mucho'], rows)
const { heapMB } = await map.readStats()
console.log(`montón del hilo: ${heapMB.toFixed(0)} MB`)
await map.close()

const server = await startMeasuredServer({ ...world.env })
const before = await residentMB(server.pid())
const address = (zoom: number) => `${server.url}/api/map?bbox=${viewAround(zoom, -3.7038, 40.4168)}&zoom=${zoom}`
await fetch(address(6)).then((response) => response.arrayBuffer())
const after = await residentMB(server.pid())
const whole: number[] = []
for (let i = -30; i < 300; i++) {
  const start = performance.now()
  await fetch(address(ZOOMS[(i + 30) % ZOOMS.length]!)).then((response) => response.arrayBuffer())
  if (i >= 0) whole.push(performance.now() - start)
}
const { median, p99 } = percentilesOf(whole)
console.log(`petición entera: ${median.toFixed(1)} ms de mediana, ${p99.toFixed(1)} p99`)
console.log(
  `memoria del servidor: ${before} MB antes, ${after} tras la primera, ${await peakMB(server.pid())} como mucho`,
)
await server.dispose()
await world.dispose()
