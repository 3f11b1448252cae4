import { feature } from 'topojson-client'
import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson'
import type { SourceTopology } from './borders.ts'

/** An area of the map, with what the gazetteer needs. Coordinates are degrees, longitude first. */
export interface Area {
  id: string
  name: string
  /** The centroid of its largest polygon. */
  centre: [number, number]
  /** A point inside the area. */
  inner: [number, number]
  polygons: Position[][][]
  box: [w: number, s: number, e: number, n: number]
}

/** Reads the named areas of a topology's `object`. */
export function readAreas(topology: SourceTopology, object: string): Area[] {
  const { features } = feature(topology as never, topology.objects[object] as never) as unknown as {
    features: { id: string; properties: { name: string }; geometry: Geometry }[]
  }
  return features
    .filter(({ geometry }) => geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon')
    .map(({ id, properties, geometry }) => {
      const shape = geometry as Polygon | MultiPolygon
      const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
      const main = polygons.toSorted(
        (a, b) => Math.abs(measureRing(b[0]!).area) - Math.abs(measureRing(a[0]!).area),
      )[0]!
      const all = polygons.flatMap(([ring]) => ring!)
      const xs = all.map(([x]) => x!)
      const ys = all.map(([, y]) => y!)
      const { centre } = measureRing(main[0]!)
      return {
        id: String(id),
        name: properties.name,
        centre,
        inner: findInnerPoint(main, centre),
        polygons,
        box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
      }
    })
}

/** Finds the first area that contains the point (lon, lat). */
export const findAreaAt = (areas: readonly Area[], [x, y]: readonly [number, number]): Area | undefined =>
  areas.find(
    ({ box: [w, s, e, n], polygons }) =>
      x >= w && x <= e && y >= s && y <= n && polygons.some((rings) => isInside(rings, x, y)),
  )

/** Kilometres between two points (lon, lat), on a flat Earth: accurate enough within a country. */
export const distanceKm = ([x, y]: readonly [number, number], [u, v]: readonly [number, number]): number =>
  Math.hypot((x - u) * Math.cos((y * Math.PI) / 180), y - v) * 111.2

/** Even-odd over all rings, so that holes count as outside. */
function isInside(rings: Position[][], x: number, y: number): boolean {
  let inside = false
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i] as [number, number]
      const [bx, by] = ring[j] as [number, number]
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    }
  return inside
}

function measureRing(ring: Position[]): { area: number; centre: [number, number] } {
  // Relative to a corner: products of coordinates far from 0 lose significant digits.
  const [ox, oy] = ring[0] as [number, number]
  let area = 0
  let cx = 0
  let cy = 0
  for (let i = 0; i < ring.length - 1; i++) {
    const [ax, ay] = [ring[i]![0]! - ox, ring[i]![1]! - oy]
    const [bx, by] = [ring[i + 1]![0]! - ox, ring[i + 1]![1]! - oy]
    const cross = ax * by - bx * ay
    area += cross / 2
    cx += (ax + bx) * cross
    cy += (ay + by) * cross
  }
  return { area, centre: area === 0 ? [ox, oy] : [ox + cx / (6 * area), oy + cy / (6 * area)] }
}

/** The centre if it is inside, else the middle of the widest stretch at its latitude. */
function findInnerPoint(rings: Position[][], [cx, cy]: [number, number]): [number, number] {
  if (isInside(rings, cx, cy)) return [cx, cy]
  const xs: number[] = []
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i] as [number, number]
      const [bx, by] = ring[j] as [number, number]
      if (ay > cy !== by > cy) xs.push(((bx - ax) * (cy - ay)) / (by - ay) + ax)
    }
  xs.sort((a, b) => a - b)
  let best: [number, number] = [cx, cy]
  let widest = 0
  for (let i = 0; i + 1 < xs.length; i += 2)
    if (xs[i + 1]! - xs[i]! > widest) {
      widest = xs[i + 1]! - xs[i]!
      best = [(xs[i]! + xs[i + 1]!) / 2, cy]
    }
  return best
}
