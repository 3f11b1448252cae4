import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { feature } from 'topojson-client'
import {
  bordersOf,
  boxOf,
  decodeArcs,
  polygonsContain,
  doBoxesOverlap,
  ringsOf,
  type Box,
  type Point,
  type Topology,
} from '#lib/topology.ts'
import { root } from '#tests/support/sources.ts'
import { generateBasemap } from '../../../scripts/lib/basemap.ts'
import { assert, suite } from '#tests/support/suites.ts'

type Named = Topology<{ name: string; at: Point }>
const folder = join(root, 'public/mapa')
const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const topology = (path: string): Named => JSON.parse(text(path))
const weight = (path: string) => gzipSync(text(path)).length

const CODES = Array.from({ length: 52 }, (_, i) => String(i + 1).padStart(2, '0'))
const world = topology('mundo.json')
const provinces = topology('provincias.json')
const towns = new Map(CODES.map((code) => [code, topology(`municipios/${code}.json`)]))

/** The areas of a file by id, as polygons. */
function areas(map: Named, object: string) {
  const arcs = decodeArcs(map)
  return new Map(map.objects[object]!.geometries.map((shape) => [shape.id, ringsOf(shape, arcs)]))
}
const provinceAreas = areas(provinces, 'provincias')
const townAreas = new Map([...towns.values()].flatMap((map) => [...areas(map, 'municipios')]))
const countryAreas = areas(world, 'paises')

/** With the Canaries, Ceuta and Melilla, and nothing else in it. */
const SPAIN: Box = [-18.2, 27.6, 4.4, 43.9]
const within = (inner: Readonly<Box>, outer: Readonly<Box>) =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]

const test = suite('unit/map/basemap-files')

test('the files are the script’s output', () => {
  const written = new Set<string>()
  // What countries are called is Node's knowledge, and changes with it.
  const unnamed = (path: string, content: string) =>
    path.startsWith('mundo') ? content.replace(/"name":"[^"]*"/g, '') : content
  for (const [path, content] of generateBasemap()) {
    assert.ok(unnamed(path, text(path)) === unnamed(path, content), `${path} differs: run node scripts/basemap.ts`)
    written.add(path)
  }
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
  assert.equal(found.map((path) => path.replaceAll('\\', '/')).toSorted(), [...written].toSorted())
})

test('the files stay within their budgets', () => {
  assert.ok(weight('mundo.json') <= 42 * 1024, `${weight('mundo.json')}`)
  assert.ok(weight('mundo-america.json') <= 70 * 1024)
  assert.ok(weight('provincias.json') <= 60 * 1024)
  assert.ok(weight('nombres.json') <= 15 * 1024)
  assert.ok(weight('barrios.json') <= 10 * 1024)
  assert.ok(weight('ciudades.json') <= 12 * 1024)
  const sizes = CODES.map((code) => weight(`municipios/${code}.json`)).toSorted((a, b) => a - b)
  assert.ok(sizes.at(-1)! <= 25 * 1024, `${sizes.at(-1)}`)
  assert.ok((sizes[25]! + sizes[26]!) / 2 < 10_500)
})

test('52 provinces and 8,131 municipalities, each in its file', () => {
  assert.equal([...provinceAreas.keys()], CODES)
  assert.is(townAreas.size, 8131)
  assert.is([...townAreas.values()].filter((polygons) => !polygons.length).length, 12)
  for (const [code, map] of towns)
    assert.ok(map.objects.municipios!.geometries.every(({ id, properties }) => id.startsWith(code) && properties.name))
})

test('every ring is closed, has an area and is in Spain', () => {
  for (const [id, polygons] of [...provinceAreas, ...townAreas]) {
    if (polygons.length) assert.ok(within(boxOf(polygons), SPAIN), id)
    for (const ring of polygons.flat()) {
      assert.equal(ring[0], ring.at(-1), id)
      assert.ok(new Set(ring.map(String)).size > 2, id)
    }
  }
  for (const [id, polygons] of countryAreas) for (const ring of polygons.flat()) assert.equal(ring[0], ring.at(-1), id)
})

test('no outline crosses the world', () => {
  for (const [id, polygons] of countryAreas)
    for (const ring of polygons.flat())
      assert.ok(
        ring.every(([x], i) => i === 0 || Math.abs(x - ring[i - 1]![0]) < 100),
        id,
      )
})

test('decoding follows TopoJSON', () => {
  for (const [map, object] of [
    [towns.get('28')!, 'municipios'],
    [provinces, 'provincias'],
  ] as const) {
    const { features } = feature(map as never, map.objects[object] as never) as unknown as {
      features: { id: string; geometry: { coordinates: number[][][][] } }[]
    }
    for (const { id, geometry } of features) {
      const ours = (object === 'provincias' ? provinceAreas : townAreas).get(id)!
      assert.equal(
        ours.flat(3).map((n) => n.toFixed(6)),
        geometry.coordinates.flat(3).map((n) => n.toFixed(6)),
      )
    }
  }
})

test('known places are inside their area, and in no other', () => {
  const at = (map: Map<string, Point[][][]>, point: Point) =>
    [...map].filter(([, area]) => polygonsContain(area, point)).map(([id]) => id)
  const PLACES: [point: Point, province: string, municipality: string][] = [
    [[-3.703, 40.416], '28', '28079'],
    [[-15.44, 28.1], '35', '35016'],
    [[-16.32, 28.47], '38', '38023'],
    [[2.159, 41.389], '08', '08019'],
    [[-5.973, 37.383], '41', '41091'],
    [[-2.7, 42.73], '09', '09109'],
    [[1.98, 42.465], '17', '17094'],
  ]
  for (const [point, province, municipality] of PLACES) {
    assert.equal(at(provinceAreas, point), [province])
    assert.equal(at(townAreas, point), [municipality])
  }
  assert.equal(at(provinceAreas, [-9.14, 38.72]), [])
  assert.equal(at(countryAreas, [-8.2, 39.5]), ['PT'])
  assert.equal(at(countryAreas, [-58.6, -34.7]), ['AR'])
  assert.equal(at(countryAreas, [175, 67]), ['RU'])
  assert.ok(polygonsContain(countryAreas.get('ES')!, [-3.7, 40.4]))
})

test('Latin America has more detail in its own file, Spain the same', () => {
  const fine = areas(topology('mundo-america.json'), 'paises')
  assert.ok([...countryAreas.keys()].every((id) => fine.has(id) || id.startsWith('x')))
  assert.ok(fine.has('BB') && !countryAreas.has('BB'), 'its islands are only there')
  assert.equal(fine.get('ES'), countryAreas.get('ES'))
  const at = (point: Point) => [...fine].filter(([, area]) => polygonsContain(area, point)).map(([id]) => id)
  assert.equal(at([-58.45, -34.62]), ['AR'], 'Buenos Aires')
  assert.equal(at([-56.17, -34.85]), ['UY'], 'Montevideo')
  assert.equal(at([-57.3, -35]), [], 'the Río de la Plata between them')
  assert.equal(at([-77.05, -12.08]), ['PE'], 'Lima')
})

test('neighbours continue beneath Spain, which is drawn after them', () => {
  assert.is(world.objects.paises!.geometries.at(-1)!.id, 'ES')
  assert.ok(world.hidden!.length >= 5)
  // Llívia, and the bank of the Duero opposite to Portugal.
  assert.ok(polygonsContain(countryAreas.get('FR')!, [1.98, 42.465]))
  assert.ok(polygonsContain(countryAreas.get('PT')!, [-7.1, 41.95]))
  const { inner, outer } = bordersOf(world, 'paises')
  for (const arc of world.hidden!) assert.not.ok(inner.includes(arc) || outer.includes(arc))
  const spain = world.objects
    .paises!.geometries.at(-1)!
    .arcs.flat(2)
    .map((index) => (index < 0 ? ~index : index))
  assert.ok(spain.every((arc) => inner.includes(arc) || outer.includes(arc)))
  const rest = bordersOf(world, 'paises', 'ES')
  assert.is(rest.inner.length + rest.outer.length, inner.length + outer.length - new Set(spain).size)
})

test('a border is stored once, and its municipalities share it', () => {
  const { inner, outer } = bordersOf(towns.get('28')!, 'municipios')
  assert.is(new Set([...inner, ...outer]).size, towns.get('28')!.arcs.length)
  assert.ok(inner.length > outer.length)
  const edges = new Set(decodeArcs(provinces).flat().map(String))
  const madrid = decodeArcs(towns.get('28')!)
  const onEdge = outer.flatMap((arc) => madrid[arc]!)
  // Whatever bounds the province is in its outline too; the rest bounds commons.
  assert.ok(onEdge.filter((point) => edges.has(String(point))).length > onEdge.length * 0.8)
})

test('a box contains its shape, so that visible shapes are found', () => {
  for (const { id, bbox } of provinces.objects.provincias!.geometries) {
    assert.ok(within(boxOf(provinceAreas.get(id)!), bbox!), id)
    for (const town of areas(towns.get(id)!, 'municipios').values())
      if (town.length) assert.ok(within(boxOf(town), bbox!), id)
  }
  const view: Box = [-3.8, 40.3, -3.6, 40.5]
  const seen = provinces.objects
    .provincias!.geometries.filter(({ bbox }) => doBoxesOverlap(bbox!, view))
    .map(({ id }) => id)
  assert.ok(seen.includes('28'))
  assert.not.ok(seen.includes('08'))
})

test('capitals are named early, and no name covers another', () => {
  type Row = [id: string, name: string, lon: number, lat: number, zoom: number, people: number, capital: 0 | 1]
  const { pueblos, regiones } = JSON.parse(text('nombres.json')) as { pueblos: Row[]; regiones: string[][] }
  assert.is(regiones.length, 19)
  assert.ok(pueblos.length >= 300)
  const capitals = pueblos.filter(([, , , , , , capital]) => capital)
  assert.is(new Set(capitals.map(([id]) => id.slice(0, 2))).size, 52)
  assert.ok(capitals.every(([, , , , zoom]) => zoom <= 9))
  assert.is(pueblos.find(([id]) => id === '28079')![4], 5)
  assert.ok(pueblos.some(([, name]) => name === 'A Coruña'))
  for (const [id, , lon, lat] of pueblos)
    assert.ok(lon > SPAIN[0] && lat > SPAIN[1] && lon < SPAIN[2] && lat < SPAIN[3], id)
  for (const [i, [, name, lon, lat, zoom]] of pueblos.entries())
    for (const [, other, x, y, from] of pueblos.slice(i + 1)) {
      const at = Math.max(zoom, from)
      if (at > 10) continue
      const size = (256 * 2 ** at) / 360
      const high = (Math.abs(lat - y) * size) / Math.cos((lat * Math.PI) / 180)
      assert.ok(Math.abs(lon - x) * size > 85 || high > 20, `${name} and ${other} at ${at}`)
    }
})

test('quarters are in Spain and cities elsewhere, the biggest first', () => {
  type Row = [name: string, lon: number, lat: number, people: number]
  const quarters: Row[] = JSON.parse(text('barrios.json'))
  const cities: Row[] = JSON.parse(text('ciudades.json'))
  assert.equal(
    quarters.find(([name]) => name === 'Lavapiés'),
    ['Lavapiés', -3.701, 40.409],
  )
  for (const [name, lon, lat] of quarters) {
    assert.ok(lon > SPAIN[0] && lat > SPAIN[1] && lon < SPAIN[2] && lat < SPAIN[3], name)
    assert.not.match(name, /[~|]/)
  }
  assert.ok(cities.some(([name]) => name === 'Bogotá'))
  assert.ok(cities.every(([, , , people], i) => i === 0 || people <= cities[i - 1]![3]))
})
