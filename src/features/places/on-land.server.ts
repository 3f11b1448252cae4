import provinces from '../../../public/mapa/provincias.json' with { type: 'json' }
import world from '../../../public/mapa/mundo.json' with { type: 'json' }
import { EARTH_RADIUS_KM, type GeoPoint, toRadians } from '#lib/geo.ts'
import { decodeArcs, type Point, polygonsContain, ringsOf, shapesOf, type Topology } from '#lib/topology.ts'

interface Land {
  box: readonly [west: number, south: number, east: number, north: number]
  polygons: Point[][][]
}

/** Outlines are good to about 200 m, and people walk on piers. */
const COAST_TOLERANCE_KM = 1
/** Points around one that is off the coast. */
const DIRECTIONS = 8
/** The files' boxes are rounded. */
const BOX_MARGIN_DEGREES = 0.01

let loaded: Land[] | undefined

/** The provinces first: most points are in one. Spain’s own outline in the world map is coarser. */
const getLand = (): Land[] =>
  (loaded ??= [
    ...readLand(provinces as unknown as Topology, 'provincias'),
    ...readLand(world as unknown as Topology, 'paises'),
  ])

function readLand(topology: Topology, object: string): Land[] {
  const arcs = decodeArcs(topology)
  return shapesOf(topology, object).map((shape) => ({
    box: shape.bbox ?? [-180, -90, 180, 90],
    polygons: ringsOf(shape, arcs),
  }))
}

function isInLand({ lat, lon }: GeoPoint): boolean {
  return getLand().some(
    ({ box: [west, south, east, north], polygons }) =>
      lon >= west - BOX_MARGIN_DEGREES &&
      lon <= east + BOX_MARGIN_DEGREES &&
      lat >= south - BOX_MARGIN_DEGREES &&
      lat <= north + BOX_MARGIN_DEGREES &&
      polygonsContain(polygons, [lon, lat]),
  )
}

/** Whether a point is on land, or at most a kilometre off its coast. By the outlines of the base map, which know no lakes. */
export function isOnLand(point: GeoPoint): boolean {
  if (isInLand(point)) return true
  const degrees = (COAST_TOLERANCE_KM / EARTH_RADIUS_KM) * (180 / Math.PI)
  const widening = 1 / Math.max(0.02, Math.cos(toRadians(point.lat)))
  return Array.from({ length: DIRECTIONS }, (_, index) => (2 * Math.PI * index) / DIRECTIONS).some((angle) =>
    isInLand({
      lat: point.lat + degrees * Math.sin(angle),
      lon: point.lon + degrees * widening * Math.cos(angle),
    }),
  )
}
