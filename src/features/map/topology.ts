/** A subset of TopoJSON: quantised, delta-encoded arcs, each border stored once (data/README.md, «The base map»). */
export interface Topology<P = object> {
  type: 'Topology'
  bbox: Box
  transform: { scale: Pair; translate: Pair }
  /** The first pair of an arc is a position on the grid, each later one the step from the last. */
  arcs: Pair[][]
  objects: Record<string, { type: 'GeometryCollection'; geometries: Shape<P>[] }>
  /** Arcs that only fill what lies under something drawn later: never to be stroked. */
  hidden?: number[]
}
type Pair = [number, number]
export type Box = [west: number, south: number, east: number, north: number]
/** Lon and lat in degrees. */
export type Point = [lon: number, lat: number]

/** An area: polygons of rings (the outer one first, then its holes) of arcs; `~i` is arc i backwards. */
export interface Shape<P = object> {
  type: 'MultiPolygon'
  id: string
  /** Not in the files of municipalities: `boxOf` tells it there. */
  bbox?: Box
  arcs: number[][][]
  properties: P
}

/** All arcs as lon and lat, in the order of `topology.arcs`. Decode once per file and keep it. */
export function decodeArcs({ arcs, transform: { scale, translate } }: Topology<unknown>): Point[][] {
  return arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx, dy]): Point => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]])
  })
}

/** A shape's polygons as closed rings of lon and lat: what fills. */
export function ringsOf({ arcs: polygons }: Pick<Shape, 'arcs'>, arcs: readonly Point[][]): Point[][][] {
  return polygons.map((rings) =>
    rings.map((ring) => {
      const points: Point[] = []
      for (const index of ring) {
        const arc = index < 0 ? arcs[~index]!.toReversed() : arcs[index]!
        for (let i = points.length ? 1 : 0; i < arc.length; i++) points.push(arc[i]!)
      }
      return points
    }),
  )
}

/**
 * The numbers of the arcs to stroke, each once: `inner` has an area of the object on both sides, `outer` on one only (a
 * coast, the edge of the file). Hidden ones are left out, and those of the shape `without`, which is drawn otherwise.
 */
export function bordersOf(
  topology: Topology<unknown>,
  object: string,
  without?: string,
): { inner: number[]; outer: number[] } {
  const uses = new Map<number, number>()
  for (const { arcs } of topology.objects[object]!.geometries)
    for (const index of arcs.flat(2)) {
      const arc = index < 0 ? ~index : index
      uses.set(arc, (uses.get(arc) ?? 0) + 1)
    }
  const other = topology.objects[object]!.geometries.find(({ id }) => id === without)
  for (const index of [...(topology.hidden ?? []), ...(other?.arcs.flat(2) ?? [])])
    uses.delete(index < 0 ? ~index : index)
  const all = [...uses.keys()]
  return { inner: all.filter((arc) => uses.get(arc)! > 1), outer: all.filter((arc) => uses.get(arc) === 1) }
}

/** The box of a shape's polygons. */
export function boxOf(polygons: readonly Point[][][]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [outer] of polygons)
    for (const [x, y] of outer!) {
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x)
      box[3] = Math.max(box[3], y)
    }
  return box
}

/** Whether two boxes share anything: what is not in view is neither loaded nor drawn. */
export const doBoxesOverlap = (a: Readonly<Box>, b: Readonly<Box>): boolean =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]

/** Whether a shape's polygons hold the point, holes left out (even-odd over all rings). */
export function polygonsContain(polygons: readonly Point[][][], [x, y]: Readonly<Point>): boolean {
  let inside = false
  for (const ring of polygons.flat())
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i]!
      const [bx, by] = ring[j]!
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    }
  return inside
}
