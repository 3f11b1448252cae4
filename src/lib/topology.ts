/** A subset of TopoJSON: quantised, delta-encoded arcs, each border stored once (data/README.md, «The base map»). */
export interface Topology<P = object> {
  type: 'Topology'
  bbox: Box
  transform: { scale: Pair; translate: Pair }
  /** The first pair of an arc is a position on the grid, the others are steps from the previous one. */
  arcs: Pair[][]
  objects: Record<string, { type: 'GeometryCollection'; geometries: Shape<P>[] }>
  /** Arcs under a shape that is drawn later: they are filled and never stroked. */
  hidden?: number[]
}
type Pair = [number, number]
export type Box = [west: number, south: number, east: number, north: number]
/** Degrees. */
export type Point = [lon: number, lat: number]

/** An area: polygons of rings (the outer one first, then its holes) of arc indices; `~i` is arc i reversed. */
export interface Shape<P = object> {
  type: 'MultiPolygon'
  id: string
  /** Absent in the files of municipalities, where `boxOf` computes it. */
  bbox?: Box
  arcs: number[][][]
  properties: P
}

/** The shapes of one of the file's objects. */
export const shapesOf = <P>(topology: Topology<P>, object: string): Shape<P>[] => topology.objects[object]!.geometries

/** Decodes all arcs to degrees, in the order of `topology.arcs`. Call it once per file. */
export function decodeArcs({ arcs, transform: { scale, translate } }: Topology<unknown>): Point[][] {
  return arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx, dy]): Point => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]])
  })
}

/** The decoded arc of an index of a shape, which is not reversed. */
export const arcAt = (arcs: readonly Point[][], index: number): Point[] => arcs[index]!

/** A shape's polygons as closed rings in degrees, to fill. */
export function ringsOf({ arcs: polygons }: Pick<Shape, 'arcs'>, arcs: readonly Point[][]): Point[][][] {
  return polygons.map((rings) =>
    rings.map((ring) => {
      const points: Point[] = []
      for (const index of ring) {
        const forward = arcAt(arcs, index < 0 ? ~index : index)
        const arc = index < 0 ? forward.toReversed() : forward
        for (const point of points.length ? arc.slice(1) : arc) points.push(point)
      }
      return points
    }),
  )
}

/**
 * The indices of the arcs to stroke, each once: `inner` arcs have an area of the object on both sides, `outer` arcs on one (a
 * coast, the edge of the file). Hidden arcs are left out, and those of the shape with the id `without`.
 */
export function bordersOf(
  topology: Topology<unknown>,
  object: string,
  without?: string,
): { inner: number[]; outer: number[] } {
  const uses = new Map<number, number>()
  const shapes = shapesOf(topology, object)
  for (const { arcs } of shapes)
    for (const index of arcs.flat(2)) {
      const arc = index < 0 ? ~index : index
      uses.set(arc, (uses.get(arc) ?? 0) + 1)
    }
  const excluded = shapes.find(({ id }) => id === without)
  for (const index of [...(topology.hidden ?? []), ...(excluded?.arcs.flat(2) ?? [])])
    uses.delete(index < 0 ? ~index : index)
  const all = [...uses.keys()]
  return { inner: all.filter((arc) => uses.get(arc) !== 1), outer: all.filter((arc) => uses.get(arc) === 1) }
}

/** The bounding box of a shape's polygons. */
export function boxOf(polygons: readonly Point[][][]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [outer = []] of polygons)
    for (const [x, y] of outer) {
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x)
      box[3] = Math.max(box[3], y)
    }
  return box
}

/** Whether two boxes overlap or touch. */
export const doBoxesOverlap = (a: Readonly<Box>, b: Readonly<Box>): boolean =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]

/** Whether a shape's polygons contain the point (even-odd rule over all rings, so that holes do not count). */
export function polygonsContain(polygons: readonly Point[][][], [x, y]: Readonly<Point>): boolean {
  let inside = false
  for (const ring of polygons.flat()) {
    let [bx, by] = ring.at(-1) ?? [0, 0]
    for (const [ax, ay] of ring) {
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
      bx = ax
      by = ay
    }
  }
  return inside
}
