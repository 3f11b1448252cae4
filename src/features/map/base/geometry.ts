import {
  arcAt,
  type Box,
  bordersOf,
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
export function projectLine(points: readonly Point[]): Line {
  const xy = new Float64Array(points.length * 2)
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  points.forEach(([lon, lat], i) => {
    const [x, y] = project(lon, lat)
    xy[2 * i] = x
    xy[2 * i + 1] = y
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  })
  return { xy, box }
}

const arcIndex = (index: number) => (index < 0 ? ~index : index)

/** The rings of the shapes, holes included: one path of them all is filled by the non-zero rule. */
export const ringsToFill = (shapes: readonly Pick<Shape, 'arcs'>[], arcs: readonly Point[][]): Line[] =>
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
export interface Country {
  name: string
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
  countries: Country[]
}
export type WorldFile = Topology<{ name: string; at: Point }>

/** Parses `mundo.json` for drawing. */
export function parseWorld(file: WorldFile): World {
  const arcs = decodeArcs(file)
  const shapes = shapesOf(file, 'paises')
  const lines = (numbers: Iterable<number>) =>
    [...numbers].flatMap((i) => splitAtAntimeridian(arcAt(arcs, i)).map(projectLine))
  const { inner, outer } = bordersOf(file, 'paises')
  const spain = shapes.filter(({ id }) => id === 'ES')
  const spainArcs = new Set(spain.flatMap((shape) => shape.arcs.flat(2).map(arcIndex)))
  return {
    spain: ringsToFill(spain, arcs),
    others: ringsToFill(
      shapes.filter(({ id }) => id !== 'ES'),
      arcs,
    ),
    // Spain's borders have one side in the file, because its neighbours extend beneath it.
    coasts: lines(outer.filter((i) => !spainArcs.has(i))),
    spainCoasts: lines(spainArcs),
    borders: lines(inner.filter((i) => !spainArcs.has(i))),
    countries: shapes
      .filter(({ properties: { name } }) => name)
      .map((shape) => {
        const rings = ringsToFill([shape], arcs)
        const { box } = rings.reduce((a, b) => (boxArea(b.box) > boxArea(a.box) ? b : a))
        return { name: shape.properties.name, at: project(...shape.properties.at), rings, box }
      })
      .toSorted((a, b) => boxArea(b.box) - boxArea(a.box)),
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
  code: string
  borders: Line[]
  towns: Town[]
}
export type TownsFile = Topology<{ name: string; at: Point; people: number }>

/** Parses `municipios/{code}.json` for drawing. Its outer edge is drawn with the provinces. */
export function parseTowns(code: string, file: TownsFile): Towns {
  const arcs = decodeArcs(file)
  return {
    code,
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
