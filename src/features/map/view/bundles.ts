import { CELL_SIDE, mercatorX, mercatorY } from '../cells.ts'
import { type Area, type ClusterFeature, isCluster, type MapFeature, PHOTO_ZOOM } from '../map.ts'

/** A mark and where it is drawn. */
export interface PlacedMark {
  feature: MapFeature
  at: readonly [lon: number, lat: number]
}

/** Pixels that a photo takes: to either side of its point with the count in its corner, and above it. */
export const MARK_HALF_WIDTH = 33
export const MARK_HEIGHT = 72

/** From here on piles are spread over free cells around theirs, of so many rings at most. */
const SPREAD_ZOOM = 17
const RINGS = 2
const ROW = 2 ** 22

interface Cell {
  x: number
  y: number
  members: MapFeature[]
}
const keyOf = ({ x, y }: Pick<Cell, 'x' | 'y'>) => y * ROW + x

/**
 * What stands on the map. From `PHOTO_ZOOM` on the dogs of one cell of the grid are one photo with their count, which opens
 * as a list, and every photo is drawn inside its cell: none covers another, and none moves when the map does. The server's
 * cells (cells.ts) are the same or twice as wide, so none of its clusters lies in two of these.
 * @param zoom of the map, a whole number
 */
export function placeMarks(features: readonly MapFeature[], zoom: number): PlacedMark[] {
  if (zoom < PHOTO_ZOOM) return features.map((feature) => ({ feature, at: feature.geometry.coordinates }))
  const side = CELL_SIDE / (256 * 2 ** zoom)
  const placeAt = (lon: number, lat: number) => ({
    x: Math.floor(mercatorX(lon) / side),
    y: Math.floor(mercatorY(lat) / side),
  })
  const cellAt = (lon: number, lat: number) => keyOf(placeAt(lon, lat))
  const cells = new Map<number, Cell>()
  for (const feature of features) {
    const place = placeAt(...feature.geometry.coordinates)
    const cell = cells.get(keyOf(place))
    if (cell) cell.members.push(feature)
    else cells.set(keyOf(place), { ...place, members: [feature] })
  }
  if (zoom >= SPREAD_ZOOM) spreadPiles(cells)
  return [...cells.values()].map((cell) => {
    const { members } = cell
    const middle = middleOf(members)
    return {
      feature: bundleOf(members, -1 - keyOf(cell), cellAt),
      at: insideCell(cell, middle, side),
    }
  })
}

/**
 * Puts the dogs of a cell into the nearest free ones. All of them or none: a pile's list is what stands in its bbox.
 */
function spreadPiles(cells: Map<number, Cell>): void {
  const piles = [...cells.values()].filter(({ members }) => members.length > 1 && !members.some(isCluster))
  for (const cell of piles) {
    const free = around(cell).filter((place) => !cells.has(keyOf(place)))
    const [first, ...others] = cell.members
    if (others.length > free.length) continue
    cell.members = [first!]
    for (const [n, member] of others.entries()) cells.set(keyOf(free[n]!), { ...free[n]!, members: [member] })
  }
}

/** The cells around one, the nearest first. */
function around({ x, y }: Cell): Pick<Cell, 'x' | 'y'>[] {
  const places: { x: number; y: number; distance: number }[] = []
  for (let right = -RINGS; right <= RINGS; right++)
    for (let down = -RINGS; down <= RINGS; down++)
      places.push({ x: x + right, y: y + down, distance: Math.hypot(right, down) })
  return places.toSorted((a, b) => a.distance - b.distance)
}

/** The point of a mark that is drawn inside its cell, as near to a place as that allows. */
function insideCell({ x, y }: Cell, [lon, lat]: readonly [number, number], side: number): [lon: number, lat: number] {
  const pixel = side / CELL_SIDE
  const left = (x * CELL_SIDE + MARK_HALF_WIDTH) * pixel
  const right = ((x + 1) * CELL_SIDE - MARK_HALF_WIDTH) * pixel
  const top = (y * CELL_SIDE + MARK_HEIGHT) * pixel
  const bottom = (y + 1) * CELL_SIDE * pixel
  return [lonOf(clamp(mercatorX(lon), left, right)), latOf(clamp(mercatorY(lat), top, bottom))]
}

/** How many dogs a mark is. */
export const countOf = (feature: MapFeature): number => (isCluster(feature) ? feature.properties.point_count : 1)

/** What one cell shows: its only dog, or all of its dogs taken together. */
function bundleOf(
  members: readonly MapFeature[],
  id: number,
  cellAt: (lon: number, lat: number) => number,
): MapFeature {
  const [first] = members
  if (members.length === 1 && !isCluster(first!)) return first!
  const bbox = members.map(edgesOf).reduce(together)
  const count = members.reduce((sum, each) => sum + countOf(each), 0)
  // The server takes more than a cell together where it would name more than 200: those dogs are to be zoomed to.
  const isWider = isCluster(first!) && cellAt(bbox[0], bbox[1]) !== cellAt(bbox[2], bbox[3])
  const bundle: ClusterFeature = {
    type: 'Feature',
    id,
    bbox,
    geometry: { type: 'Point', coordinates: middleOf(members) },
    properties: {
      cluster: true,
      cluster_id: id,
      point_count: count,
      point_count_abbreviated: count,
      expansion_zoom: isWider ? first.properties.expansion_zoom : null,
    },
  }
  const photo_url = faceOf(members)
  if (photo_url !== undefined) bundle.properties.photo_url = photo_url
  const zone = zoneOf(members)
  if (zone) bundle.properties.zone = zone
  return bundle
}

/** The photo of the most liked dog; of dogs that the server has taken together it names the newest one's. */
function faceOf(members: readonly MapFeature[]): string | undefined {
  const dogs = members.flatMap((each) => (isCluster(each) ? [] : [each.properties]))
  const best = dogs.toSorted((a, b) => b.likes - a.likes || (a.id < b.id ? -1 : 1))[0]
  return (best ?? members[0]!.properties).photo_url
}

const zoneOf = (members: readonly MapFeature[]): string | null => {
  const zones = new Set(members.map((each) => (isCluster(each) ? null : each.properties.zone)))
  return zones.size === 1 ? [...zones][0]! : null
}

/** How far its dogs stand. */
export function edgesOf(feature: MapFeature): Area {
  if (isCluster(feature)) return feature.bbox
  const [lon, lat] = feature.geometry.coordinates
  return [lon, lat, lon, lat]
}

/** The area that holds both. */
export const together = (a: Area, b: Area): Area => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]

function middleOf(members: readonly MapFeature[]): [lon: number, lat: number] {
  const all = members.reduce((sum, each) => sum + countOf(each), 0)
  const mean = (axis: 0 | 1) =>
    members.reduce((sum, each) => sum + each.geometry.coordinates[axis] * countOf(each), 0) / all
  return [mean(0), mean(1)]
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const lonOf = (x: number) => (x - 0.5) * 360
const latOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
