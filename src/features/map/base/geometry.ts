import {
  arcAt,
  type Box,
  bordersOf,
  boxOf,
  decodeArcs,
  type Point,
  ringsOf,
  type Shape,
  shapesOf,
  type Topology,
} from '#lib/topology.ts'

/** Points (x, y, x, y…) in Web Mercator's square: 0 to 1, from 180° W and from 85° N. */
export interface Line {
  xy: Float64Array
  /** In the same units. */
  box: Box
}

const LAT_MAX = 86
/** Projects degrees to Web Mercator's square. */
export function project(lon: number, lat: number): Point {
  const sin = Math.sin((Math.max(-LAT_MAX, Math.min(LAT_MAX, lat)) * Math.PI) / 180)
  return [lon / 360 + 0.5, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)]
}

/** Projects a line of degrees to Web Mercator's square. */
function projectLine(points: readonly Point[]): Line {
  const projected = points.map((point) => project(...point))
  return { xy: new Float64Array(projected.flat()), box: boxOf([[projected]]) }
}

const arcIndex = (index: number) => (index < 0 ? ~index : index)

/** The rings of the shapes, holes included: one path of them all is filled by the non-zero rule. */
const ringsToFill = (shapes: readonly Pick<Shape, 'arcs'>[], arcs: readonly Point[][]): Line[] =>
  shapes.flatMap((shape) => ringsOf(shape, arcs).flat().map(projectLine))

/** On the antimeridian, where the data cuts shapes and there is no coast. */
const isOnAntimeridian = ([lon]: Readonly<Point>) => Math.abs(Math.abs(lon) - 180) <= 0.01
/** Removes a line's steps along the 180th meridian. */
export function splitAtAntimeridian(points: readonly Point[]): Point[][] {
  let line: Point[] = []
  const lines = [line]
  points.forEach((point, i) => {
    const last = points[i - 1]
    if (last && isOnAntimeridian(last) && isOnAntimeridian(point)) lines.push((line = []))
    line.push(point)
  })
  return lines.filter(({ length }) => length > 1)
}

/** A country. `box` is that of its largest part, which decides from which zoom on the name fits. */
interface Country {
  name: string
  isSpain: boolean
  at: Point
  rings: Line[]
  box: Box
}
const boxArea = ([west, north, east, south]: Readonly<Box>) => (east - west) * (south - north)

export interface World {
  spain: Line[]
  others: Line[]
  /** Coasts of other countries than Spain. */
  coasts: Line[]
  /** Spain's whole outline. */
  spainCoasts: Line[]
  /** Between other countries than Spain. */
  borders: Line[]
  /** Spain first, then the largest. */
  countries: Country[]
}
export type WorldFile = Topology<{ name: string; at: Point }>

/** Parses `mundo.json` for drawing. */
export function parseWorld(file: WorldFile): World {
  const arcs = decodeArcs(file)
  const shapes = shapesOf(file, 'paises')
  const lines = (numbers: Iterable<number>) =>
    [...numbers].flatMap((i) => splitAtAntimeridian(arcAt(arcs, i)).map(projectLine))
  // Spain's borders have one side in the file, because its neighbours extend beneath it.
  const { inner, outer } = bordersOf(file, 'paises', 'ES')
  const isSpain = ({ id }: Shape) => id === 'ES'
  const spain = shapes.filter(isSpain)
  return {
    spain: ringsToFill(spain, arcs),
    others: ringsToFill(
      shapes.filter((shape) => !isSpain(shape)),
      arcs,
    ),
    coasts: lines(outer),
    spainCoasts: lines(new Set(spain.flatMap((shape) => shape.arcs.flat(2).map(arcIndex)))),
    borders: lines(inner),
    countries: shapes
      .filter(({ properties: { name } }) => name)
      .map((shape) => {
        const rings = ringsToFill([shape], arcs)
        const { box } = rings.reduce((a, b) => (boxArea(b.box) > boxArea(a.box) ? b : a))
        const { name, at } = shape.properties
        return { name, isSpain: isSpain(shape), at: project(...at), rings, box }
      })
      .toSorted((a, b) => Number(b.isSpain) - Number(a.isSpain) || boxArea(b.box) - boxArea(a.box)),
  }
}

export interface Provinces {
  land: Line[]
  coasts: Line[]
  /** Borders between autonomous communities. */
  regions: Line[]
  /** Borders between provinces of the same community. */
  provinces: Line[]
  /** In degrees. */
  boxes: { code: string; box: Box }[]
}
export type ProvincesFile = Topology<{ name: string; region: string; at: Point }>

/** Parses `provincias.json` for drawing. */
export function parseProvinces(file: ProvincesFile): Provinces {
  const arcs = decodeArcs(file)
  const shapes = shapesOf(file, 'provincias')
  const { inner, outer } = bordersOf(file, 'provincias')
  const regionsAt = new Map<number, Set<string>>()
  for (const shape of shapes)
    for (const index of shape.arcs.flat(2)) {
      const regions = regionsAt.get(arcIndex(index)) ?? new Set()
      regionsAt.set(arcIndex(index), regions.add(shape.properties.region))
    }
  const lines = (numbers: number[]) => numbers.map((i) => projectLine(arcAt(arcs, i)))
  return {
    land: ringsToFill(shapes, arcs),
    coasts: lines(outer),
    regions: lines(inner.filter((i) => regionsAt.get(i)?.size !== 1)),
    provinces: lines(inner.filter((i) => regionsAt.get(i)?.size === 1)),
    boxes: shapes.map(({ id, bbox }) => ({ code: id, box: bbox! })),
  }
}

export interface Town {
  id: string
  name: string
  at: Point
  people: number
  rings: Line[]
}
export interface Towns {
  borders: Line[]
  towns: Town[]
}
export type TownsFile = Topology<{ name: string; at: Point; people: number }>

/** Parses `municipios/{code}.json` for drawing. Its outer edge is drawn with the provinces. */
export function parseTowns(file: TownsFile): Towns {
  const arcs = decodeArcs(file)
  return {
    borders: bordersOf(file, 'municipios').inner.map((i) => projectLine(arcAt(arcs, i))),
    towns: shapesOf(file, 'municipios').map((shape) => ({
      id: shape.id,
      name: shape.properties.name,
      at: project(...shape.properties.at),
      people: shape.properties.people,
      rings: ringsToFill([shape], arcs),
    })),
  }
}

/** Whether the rings contain a point of Web Mercator's square (even-odd rule). */
export function ringsContain(rings: readonly Line[], x: number, y: number): boolean {
  let inside = false
  for (const { xy, box } of rings) {
    if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) continue
    for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
      const ay = xy[i + 1]!
      const by = xy[j + 1]!
      if (ay > y !== by > y && x < ((xy[j]! - xy[i]!) * (y - ay)) / (by - ay) + xy[i]!) inside = !inside
    }
  }
  return inside
}
