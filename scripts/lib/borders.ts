import type { Box, Shape, Topology } from '#lib/topology.ts'

/** Grid positions. */
export type Line = [x: number, y: number][]

/** A TopoJSON file of a package, as far as it is read. */
export interface SourceTopology {
  type: 'Topology'
  transform: Topology['transform']
  arcs: Line[]
  objects: Record<string, { type: 'GeometryCollection'; geometries: SourceGeometry[] }>
}
type SourceGeometry = { id: string | number; properties?: { name?: string } } & (
  | { type: 'Polygon'; arcs: number[][] }
  | { type: 'MultiPolygon'; arcs: number[][][] }
  | { type: null; arcs?: never }
)

/** A source area. Its rings are signed indices of the source's arcs, as in TopoJSON: ~i is arc i reversed. */
export interface AreaPiece<P> {
  id: string
  properties: P
  rings: number[][][]
}

/** The polygons of a TopoJSON object. `pick` returns the properties of each, or null to leave it out. */
export function pickPieces<P>(
  topology: SourceTopology,
  object: string,
  pick: (id: string, name: string, index: number) => P | null,
): AreaPiece<P>[] {
  return topology.objects[object]!.geometries.flatMap((geometry, index) => {
    const properties = pick(String(geometry.id), geometry.properties?.name ?? '', index)
    if (properties === null || !geometry.arcs) return []
    const rings = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs
    return [{ id: String(geometry.id), properties, rings }]
  })
}

/** Decodes a topology's delta-encoded arcs to positions on its grid. */
export const decodeArcs = (topology: SourceTopology): Line[] =>
  topology.arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx, dy]): Line[number] => [(x += dx), (y += dy)])
  })

/** A border between the same two areas: from one point where a third area begins to the next. */
export interface Border {
  line: Line
  /** Indices of the pieces on its sides; a coast has only one. */
  owners: number[]
}

/**
 * Cuts the borders again for these pieces alone: arcs that always follow each other become one run, and shared borders stay
 * shared.
 * @returns the runs, and the rings of each piece as signed indices of runs
 */
export function cutBorders<P>(pieces: AreaPiece<P>[], lines: Line[]): { runs: Border[]; rings: number[][][][] } {
  const arcOf = (index: number) => (index < 0 ? ~index : index)
  const owners = new Map<number, number[]>()
  pieces.forEach(({ rings }, piece) => {
    for (const index of rings.flat(2)) {
      const list = owners.get(arcOf(index)) ?? []
      if (!list.includes(piece)) list.push(piece)
      owners.set(arcOf(index), list)
    }
  })
  const keyOf = (index: number) => owners.get(arcOf(index))!.join()
  const runs: Border[] = []
  const runIndices = new Map<string, number>()

  /** The index of the run of these arcs, which the first call adds. */
  const findOrAddRun = (key: string, indices: number[]): number => {
    if (!runIndices.has(key)) {
      const line: Line = []
      for (const index of indices) {
        const arc = index < 0 ? lines[~index]!.toReversed() : lines[index]!
        line.push(...(line.length ? arc.slice(1) : arc))
      }
      runIndices.set(key, runs.push({ line, owners: owners.get(arcOf(indices[0]!))! }) - 1)
    }
    return runIndices.get(key)!
  }

  const runOf = (indices: number[]): number => {
    const first = arcOf(indices[0]!)
    const last = arcOf(indices.at(-1)!)
    // Both neighbours get here, with opposite directions: the lower end goes first.
    const isFlipped = first > last || (first === last && indices[0]! < 0)
    const forward = isFlipped ? indices.toReversed().map((index) => ~index) : indices
    const run = findOrAddRun(forward.join(), forward)
    return isFlipped ? ~run : run
  }

  const ringOf = (ring: number[]): number[] => {
    const start = ring.findIndex((index, i) => keyOf(index) !== keyOf(ring.at(i - 1)!))
    if (start < 0) {
      // An island or an enclave: both sides must begin at the same arc and go the same way round.
      const low = ring.reduce((best, index, i) => (arcOf(index) < arcOf(ring[best]!) ? i : best), 0)
      const turned = [...ring.slice(low), ...ring.slice(0, low)]
      if (turned[0]! >= 0) return [loopOf(turned)]
      const back = turned.toReversed().map((index) => ~index)
      return [~loopOf([back.at(-1)!, ...back.slice(0, -1)])]
    }
    const turned = [...ring.slice(start), ...ring.slice(0, start)]
    const parts: number[][] = []
    turned.forEach((index, i) => {
      if (i === 0 || keyOf(index) !== keyOf(turned[i - 1]!)) parts.push([])
      parts.at(-1)!.push(index)
    })
    return parts.map(runOf)
  }
  const loopOf = (indices: number[]) => findOrAddRun(`o${indices.join()}`, indices)
  return { runs, rings: pieces.map(({ rings }) => rings.map((polygon) => polygon.map(ringOf))) }
}

/**
 * Builds the topology of these pieces, with one object. Rings without an area are left out, and so are pieces without rings unless
 * `keepEmpty`.
 * @param hidden indices of the runs that are filled and never stroked
 * @param boxDigits decimals of the pieces' bounding boxes; null leaves the boxes out
 */
export function buildTopology<P>(
  object: string,
  pieces: AreaPiece<P>[],
  { runs, rings }: { runs: Border[]; rings: number[][][][] },
  transform: Topology['transform'],
  {
    hidden = [],
    boxDigits = 3,
    keepEmpty = false,
  }: { hidden?: number[]; boxDigits?: number | null; keepEmpty?: boolean } = {},
): Topology<P> {
  const { scale, translate } = transform
  const numbers = new Map<number, number>()
  const arcs: Topology['arcs'] = []
  const renumber = (index: number) => {
    const run = index < 0 ? ~index : index
    if (!numbers.has(run)) {
      const line = runs[run]!.line.filter(([x, y], i, all) => i === 0 || x !== all[i - 1]![0] || y !== all[i - 1]![1])
      // An arc needs two points, also where both ends are the same.
      if (line.length === 1) line.push([...line[0]!])
      const steps = line.map(([x, y], i): [number, number] => (i ? [x - line[i - 1]![0], y - line[i - 1]![1]] : [x, y]))
      numbers.set(run, arcs.push(steps) - 1)
    }
    return index < 0 ? ~numbers.get(run)! : numbers.get(run)!
  }
  const pointsOf = (ring: number[]) =>
    ring.flatMap((index) => (index < 0 ? runs[~index]!.line.toReversed() : runs[index]!.line))
  const hasArea = (ring: number[]) => new Set(pointsOf(ring).map(String)).size > 2
  const boxes: Box[] = []
  const geometries = pieces.flatMap(({ id, properties }, i): Shape<P>[] => {
    const polygons = rings[i]!.map((polygon) => (hasArea(polygon[0]!) ? polygon.filter(hasArea) : [])).filter(
      (p) => p.length,
    )
    if (!polygons.length && !keepEmpty) return []
    const arcs = polygons.map((polygon) => polygon.map((ring) => ring.map(renumber)))
    const box = boundingBox(polygons.flat().flatMap(pointsOf), transform, boxDigits ?? 3)
    if (polygons.length) boxes.push(box)
    return [{ type: 'MultiPolygon', id, ...(boxDigits !== null && { bbox: box }), arcs, properties }]
  })
  const side = (i: number, choose: typeof Math.min) => choose(...boxes.map((box) => box[i]!))
  const bbox: Box = [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]
  const hiddenArcs = hidden.flatMap((run) => numbers.get(run) ?? [])
  return {
    type: 'Topology',
    bbox,
    transform: { scale, translate },
    ...(hiddenArcs.length && { hidden: hiddenArcs }),
    objects: { [object]: { type: 'GeometryCollection', geometries } },
    arcs,
  }
}

/** The box around points, in degrees, rounded outwards. */
function boundingBox(points: Line, { scale, translate }: Topology['transform'], digits: number): Box {
  let [w, s, e, n] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    w = Math.min(w, x)
    s = Math.min(s, y)
    e = Math.max(e, x)
    n = Math.max(n, y)
  }
  const unit = 10 ** digits
  const down = (value: number, axis: 0 | 1) => Math.floor((value * scale[axis] + translate[axis]) * unit) / unit
  const up = (value: number, axis: 0 | 1) => Math.ceil((value * scale[axis] + translate[axis]) * unit) / unit
  return [down(w, 0), down(s, 1), up(e, 0), up(n, 1)]
}
