/**
 * `node scripts/province-shapes.ts` writes data/province-shapes.json from public/mapa/provincias.json: the provinces as paths of a small
 * drawn map, with the Canaries in a corner of it. Borders are simplified once each, so that neighbours still meet.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { decodeArcs, type Point, ringsOf, shapesOf, type Topology } from '#lib/topology.ts'

const ROOT = resolve(import.meta.dirname, '..')
const WIDTH = 400
const HEIGHT = 330
/** Units of the drawing: what is nearer to a line than this is left out. */
const TOLERANCE = 1
/** Rings smaller than this are islets that nobody would see. */
const MIN_AREA = 1.2
const CANARIES = new Set(['35', '38'])
const CITIES = new Set(['51', '52'])

const topology = JSON.parse(readFileSync(resolve(ROOT, 'public/mapa/provincias.json'), 'utf8')) as Topology<{
  name: string
}>

/** Degrees to units; a degree of longitude is narrower by the cosine of the latitude in the middle. */
const project = ([lon, lat]: Point, isCanary: boolean): Point =>
  isCanary
    ? [4 + (lon + 18.2) * 14.8, HEIGHT - 8 - (lat - 27.6) * 16.8]
    : [(lon + 9.4) * 28.6, 6 + (43.85 - lat) * 37.3]

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}

/** Douglas and Peucker, 1973. */
function simplify(points: readonly Point[]): Point[] {
  const [first, last] = [points[0]!, points.at(-1)!]
  let [farthest, distance] = [0, 0]
  for (let i = 1; i < points.length - 1; i++) {
    const d = distanceTo(points[i]!, first, last)
    if (d > distance) [farthest, distance] = [i, d]
  }
  if (distance <= TOLERANCE) return [first, last]
  return [...simplify(points.slice(0, farthest + 1)), ...simplify(points.slice(farthest)).slice(1)]
}

const areaOf = (ring: readonly Point[]): number =>
  Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring.at(i - 1)![1] - ring.at(i - 1)![0] * y, 0)) / 2

/** A closed path in tenths of a unit, each step from the last point. */
function toPath(ring: readonly Point[]): string {
  const tenths = ring.slice(0, -1).map(([x, y]): Point => [Math.round(x * 10), Math.round(y * 10)])
  const steps = tenths.map(([x, y], i): Point => [x - (tenths[i - 1]?.[0] ?? 0), y - (tenths[i - 1]?.[1] ?? 0)])
  const join = ([x, y]: Point) => `${x / 10}${y < 0 ? '' : ' '}${y / 10}`
  const [start, ...rest] = steps.map(join)
  return `M${start}l${rest.join(' ').replaceAll(' -', '-')}z`
}

/** A city too small for an outline. */
const toDot = (ring: readonly Point[]): string => {
  const [x, y] = ring[0]!
  return `M${Math.round(x - 2)} ${Math.round(y)}a2 2 0 1 0 4 0a2 2 0 1 0-4 0z`
}

const arcs = decodeArcs(topology)
const canaryArcs = new Set(
  shapesOf(topology, 'provincias')
    .filter(({ id }) => CANARIES.has(id))
    .flatMap(({ arcs: of }) => of.flat(2).map((index) => (index < 0 ? ~index : index))),
)
const simplified = arcs.map((arc, i) => {
  const points = arc.map((point) => project(point, canaryArcs.has(i)))
  // A ring of one arc begins where it ends: it is halved, or nothing would be left of it.
  const half = Math.floor(points.length / 2)
  const isClosed = Math.hypot(points[0]![0] - points.at(-1)![0], points[0]![1] - points.at(-1)![1]) < 1e-9
  return isClosed
    ? [...simplify(points.slice(0, half + 1)), ...simplify(points.slice(half)).slice(1)]
    : simplify(points)
})
const shapes = shapesOf(topology, 'provincias').map((shape) => ({
  id: shape.id,
  d: ringsOf(shape, simplified)
    .flat()
    .map((ring) => ({ ring, area: areaOf(ring) }))
    .toSorted((a, b) => b.area - a.area)
    // The largest stays, however small: Ceuta and Melilla.
    .filter(({ area }, i) => i === 0 || area >= MIN_AREA)
    .map(({ ring, area }) => (area < 3 && CITIES.has(shape.id) ? toDot(ring) : toPath(ring)))
    .join(''),
}))
writeFileSync(
  resolve(ROOT, 'data/province-shapes.json'),
  `${JSON.stringify({ width: WIDTH, height: HEIGHT, shapes })}\n`,
)
