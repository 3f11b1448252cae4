import type { Box } from '#lib/topology.ts'
import { type Circle, separateCircles } from './separate-circles.ts'
import { clusterStep } from './texts.ts'
import { CELL_SIDE_PX, mercatorX, mercatorY } from '#features/map/index/cell-grid.ts'
import { type Area, type ClusterFeature, isCluster, type MapFeature, PHOTO_ZOOM } from '#features/map/map.ts'

/** A mark and the point at which it is drawn. */
export interface PlacedMark {
  feature: MapFeature
  at: readonly [lon: number, lat: number]
}

/** Pixels of a photo mark beside its point, with the count in its corner, and above it. */
export const MARK_HALF_WIDTH = 33
export const MARK_HEIGHT = 72

/** Radius of the circles by colour step, and half the width and the height of a single dog's photo, near and far (marks.css), px. */
const CIRCLE_RADII = [23, 26, 31]
const PHOTO_NEAR = { halfWidth: 29, height: 64 }
const PHOTO_FAR = { halfWidth: 23, height: 52 }
/** A circle around a far photo, whose corners are round, px. */
const PHOTO_FAR_RADIUS = 29

/** From this zoom on piles are spread over free cells around theirs, within this many rings. */
const UNSTACK_ZOOM_MIN = 17
const UNSTACK_RINGS = 2
const ROW_STRIDE = 2 ** 22

interface Cell {
  x: number
  y: number
  members: [MapFeature, ...MapFeature[]]
}
const cellKey = ({ x, y }: Pick<Cell, 'x' | 'y'>) => y * ROW_STRIDE + x

/**
 * Places the marks of a view. Below `PHOTO_ZOOM` circles that would overlap move apart. From there on the dogs of one grid cell
 * become one photo with their count, which opens as a list. Every photo is drawn inside its cell, so that none covers another and
 * none moves when the map is panned. The server's cells (cell-grid.ts) are the same or twice as wide, so none of its clusters
 * spans two of these.
 * @param zoom of the map, a whole number
 */
export function placeMarks(features: readonly MapFeature[], zoom: number): PlacedMark[] {
  if (zoom < PHOTO_ZOOM) return placeCircles(features, zoom)
  const side = CELL_SIDE_PX / (256 * 2 ** zoom)
  const placeAt = (lon: number, lat: number) => ({
    x: Math.floor(mercatorX(lon) / side),
    y: Math.floor(mercatorY(lat) / side),
  })
  const cellAt = (lon: number, lat: number) => cellKey(placeAt(lon, lat))
  const cells = new Map<number, Cell>()
  for (const feature of features) {
    const place = placeAt(...feature.geometry.coordinates)
    const cell = cells.get(cellKey(place))
    if (cell) cell.members.push(feature)
    else cells.set(cellKey(place), { ...place, members: [feature] })
  }
  if (zoom >= UNSTACK_ZOOM_MIN) unstackPiles(cells)
  return [...cells.values()].map((cell) => {
    const { members } = cell
    const middle = centroidOf(members)
    return {
      feature: mergeMembers(members, -1 - cellKey(cell), cellAt),
      at: clampToCell(cell, middle, side),
    }
  })
}

/** Places circles beside each other, and beside the photos of single dogs, which stay where they are. */
function placeCircles(features: readonly MapFeature[], zoom: number): PlacedMark[] {
  const size = 256 * 2 ** zoom
  const toCircle = (feature: MapFeature): Circle => {
    const [lon, lat] = feature.geometry.coordinates
    const [x, y] = [mercatorX(lon) * size, mercatorY(lat) * size]
    if (isCluster(feature)) return { x, y, radius: circleRadius(feature), isFixed: false }
    return { x, y: y - PHOTO_FAR.height / 2, radius: PHOTO_FAR_RADIUS, isFixed: true }
  }
  const marks = features.map((feature) => {
    const circle = toCircle(feature)
    return { feature, circle, before: { ...circle } }
  })
  separateCircles(marks.map(({ circle }) => circle))
  return marks.map(({ feature, circle: { x, y }, before }) => {
    const isMoved = x !== before.x || y !== before.y
    return { feature, at: isMoved ? [lonOf(x / size), latOf(y / size)] : feature.geometry.coordinates }
  })
}

/**
 * Moves the dogs of a pile into the nearest free cells, all of them or none: a pile's list is everything in its bbox.
 */
function unstackPiles(cells: Map<number, Cell>): void {
  const piles = [...cells.values()].filter(({ members }) => members.length > 1 && !members.some(isCluster))
  for (const cell of piles) {
    const free = cellsAround(cell).filter((place) => !cells.has(cellKey(place)))
    const [first, ...others] = cell.members
    if (others.length > free.length) continue
    cell.members = [first]
    for (const [n, place] of free.entries()) {
      const member = others[n]
      if (member) cells.set(cellKey(place), { ...place, members: [member] })
    }
  }
}

/** The cells around one, nearest first. */
function cellsAround({ x, y }: Cell): Pick<Cell, 'x' | 'y'>[] {
  const places: { x: number; y: number; distance: number }[] = []
  for (let right = -UNSTACK_RINGS; right <= UNSTACK_RINGS; right++)
    for (let down = -UNSTACK_RINGS; down <= UNSTACK_RINGS; down++)
      places.push({ x: x + right, y: y + down, distance: Math.hypot(right, down) })
  return places.toSorted((a, b) => a.distance - b.distance)
}

/** The point nearest to a location at which a mark is drawn inside its cell. */
function clampToCell({ x, y }: Cell, [lon, lat]: readonly [number, number], side: number): [lon: number, lat: number] {
  const pixel = side / CELL_SIDE_PX
  const left = (x * CELL_SIDE_PX + MARK_HALF_WIDTH) * pixel
  const right = ((x + 1) * CELL_SIDE_PX - MARK_HALF_WIDTH) * pixel
  const top = (y * CELL_SIDE_PX + MARK_HEIGHT) * pixel
  const bottom = (y + 1) * CELL_SIDE_PX * pixel
  return [lonOf(clamp(mercatorX(lon), left, right)), latOf(clamp(mercatorY(lat), top, bottom))]
}

/** Number of dogs in a mark. */
export const countOf = (feature: MapFeature): number => (isCluster(feature) ? feature.properties.point_count : 1)

/** The mark of a cell: its only dog, or one cluster of all its dogs. */
function mergeMembers(
  members: Readonly<Cell['members']>,
  id: number,
  cellAt: (lon: number, lat: number) => number,
): MapFeature {
  const [first] = members
  if (members.length === 1 && !isCluster(first)) return first
  const bbox = members.map(boundsOf).reduce(unionArea)
  const count = members.reduce((sum, each) => sum + countOf(each), 0)
  // The server merges several cells where it would return more than 200 marks: the map zooms into those.
  const isWider = isCluster(first) && cellAt(bbox[0], bbox[1]) !== cellAt(bbox[2], bbox[3])
  const bundle: ClusterFeature = {
    type: 'Feature',
    id,
    bbox,
    geometry: { type: 'Point', coordinates: centroidOf(members) },
    properties: {
      cluster: true,
      cluster_id: id,
      point_count: count,
      point_count_abbreviated: count,
      expansion_zoom: isWider ? first.properties.expansion_zoom : null,
    },
  }
  const photo_url = coverPhotoOf(members)
  if (photo_url !== undefined) bundle.properties.photo_url = photo_url
  const zone = commonZoneOf(members)
  if (zone) bundle.properties.zone = zone
  return bundle
}

/** The photo of the most liked dog; of a server cluster the newest dog's. */
function coverPhotoOf(members: Readonly<Cell['members']>): string | undefined {
  const dogs = members.flatMap((each) => (isCluster(each) ? [] : [each.properties]))
  const best = dogs.toSorted((a, b) => b.likes - a.likes || (a.id < b.id ? -1 : 1))[0]
  return (best ?? members[0].properties).photo_url
}

const commonZoneOf = (members: readonly MapFeature[]): string | null => {
  const zones = new Set(members.map((each) => (isCluster(each) ? null : each.properties.zone)))
  const [zone = null, ...others] = zones
  return others.length === 0 ? zone : null
}

/** The area of a mark's dogs. */
export function boundsOf(feature: MapFeature): Area {
  if (isCluster(feature)) return feature.bbox
  const [lon, lat] = feature.geometry.coordinates
  return [lon, lat, lon, lat]
}

/** The smallest area that holds both. */
export const unionArea = (a: Area, b: Area): Area => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]

function centroidOf(members: readonly MapFeature[]): [lon: number, lat: number] {
  const all = members.reduce((sum, each) => sum + countOf(each), 0)
  const mean = (axis: 0 | 1) =>
    members.reduce((sum, each) => sum + each.geometry.coordinates[axis] * countOf(each), 0) / all
  return [mean(0), mean(1)]
}

const circleRadius = (feature: ClusterFeature): number => CIRCLE_RADII[clusterStep(countOf(feature)) - 1]!

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const lonOf = (x: number) => (x - 0.5) * 360
const latOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI

/** What the marks cover, in pixels of the zoom's world: no place name is drawn there. */
export function markBoxes(marks: readonly PlacedMark[], zoom: number): Box[] {
  const size = 256 * 2 ** zoom
  return marks.map(({ feature, at: [lon, lat] }) => {
    const [x, y] = [Math.round(mercatorX(lon) * size), Math.round(mercatorY(lat) * size)]
    const { properties } = feature
    if (isCluster(feature) && properties.photo_url === undefined) {
      const radius = circleRadius(feature)
      return [x - radius, y - radius, x + radius, y + radius]
    }
    if (isCluster(feature)) return [x - MARK_HALF_WIDTH, y - MARK_HEIGHT, x + MARK_HALF_WIDTH, y]
    const { halfWidth, height } = zoom > PHOTO_ZOOM ? PHOTO_NEAR : PHOTO_FAR
    return [x - halfWidth, y - height, x + halfWidth, y]
  })
}
