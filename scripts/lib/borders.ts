import type { Box, Shape, Topology } from '#features/map/topology.ts'

/** Grid positions. */
export type Line = [x: number, y: number][]

/** A source area: its rings as signed numbers of the source's arcs. */
export interface AreaPiece<P> {
  id: string
  properties: P
  rings: number[][][]
}

/** The polygons of a TopoJSON object, `pick` giving what is to be kept of each. */
export function pickPieces<P>(
  topology: any,
  object: string,
  pick: (id: string, name: string, index: number) => P | null,
): AreaPiece<P>[] {
  return topology.objects[object].geometries.flatMap((geometry: any, index: number) => {
    const properties = pick(String(geometry.id), geometry.properties?.name ?? '', index)
    if (properties === null || !geometry.arcs) return []
    const rings = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs
    return [{ id: String(geometry.id), properties, rings }]
  })
}

/** A topology's arcs as positions on its grid. */
export const decodeArcs = (topology: any): Line[] =>
  topology.arcs.map((arc: Line) => {
    let x = 0
    let y = 0
    return arc.map(([dx, dy]) => [(x += dx), (y += dy)])
  })

/** One border between the same two areas: from where a third begins to where the next does. */
export interface Border {
  line: Line
  /** Indices of the pieces on its sides; one only where it is a coast. */
  owners: number[]
}

/**
 * Cuts the borders anew for these pieces alone: arcs of the source that always go together become one, shared borders stay
 * shared. `rings` of the answer are signed numbers of runs.
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
  const known = new Map<string, number>()

  /** The run of these arcs, made when it is first asked for. */
  const store = (key: string, indices: number[]): number => {
    if (!known.has(key)) {
      const line: Line = []
      for (const index of indices) {
        const arc = index < 0 ? lines[~index]!.toReversed() : lines[index]!
        line.push(...(line.length ? arc.slice(1) : arc))
      }
      known.set(key, runs.push({ line, owners: owners.get(arcOf(indices[0]!))! }) - 1)
    }
    return known.get(key)!
  }

  const runOf = (indices: number[]): number => {
    const first = arcOf(indices[0]!)
    const last = arcOf(indices.at(-1)!)
    // Both neighbours come by here, in opposite directions: the lower end goes first.
    const flipped = first > last || (first === last && indices[0]! < 0)
    const forward = flipped ? indices.toReversed().map((index) => ~index) : indices
    const run = store(forward.join(), forward)
    return flipped ? ~run : run
  }

  const ringOf = (ring: number[]): number[] => {
    const change = ring.findIndex((index, i) => keyOf(index) !== keyOf(ring.at(i - 1)!))
    if (change < 0) {
      // An island or an enclave: both sides must begin at the same arc and go the same way round.
      const low = ring.reduce((best, index, i) => (arcOf(index) < arcOf(ring[best]!) ? i : best), 0)
      const turned = [...ring.slice(low), ...ring.slice(0, low)]
      if (turned[0]! >= 0) return [loopOf(turned)]
      const back = turned.toReversed().map((index) => ~index)
      return [~loopOf([back.at(-1)!, ...back.slice(0, -1)])]
    }
    const turned = [...ring.slice(change), ...ring.slice(0, change)]
    const parts: number[][] = []
    turned.forEach((index, i) => {
      if (i === 0 || keyOf(index) !== keyOf(turned[i - 1]!)) parts.push([])
      parts.at(-1)!.push(index)
    })
    return parts.map(runOf)
  }
  const loopOf = (indices: number[]) => store(`o${indices.join()}`, indices)
  return { runs, rings: pieces.map(({ rings }) => rings.map((polygon) => polygon.map(ringOf))) }
}

/** The topology of these pieces, one object in it. Rings left without an area are dropped, and what they leave empty unless `keepEmpty`. */
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
      // An arc is at least a line, also where its ends fell together.
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
    const kept = rings[i]!.map((polygon) => (hasArea(polygon[0]!) ? polygon.filter(hasArea) : [])).filter(
      (p) => p.length,
    )
    if (!kept.length && !keepEmpty) return []
    const arcs = kept.map((polygon) => polygon.map((ring) => ring.map(renumber)))
    const box = boundingBox(kept.flat().flatMap(pointsOf), transform, boxDigits ?? 3)
    if (kept.length) boxes.push(box)
    return [{ type: 'MultiPolygon', id, ...(boxDigits !== null && { bbox: box }), arcs, properties }]
  })
  const side = (i: number, choose: typeof Math.min) => choose(...boxes.map((box) => box[i]!))
  const bbox: Box = [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]
  const unseen = hidden.flatMap((run) => numbers.get(run) ?? [])
  return {
    type: 'Topology',
    bbox,
    transform: { scale, translate },
    ...(unseen.length && { hidden: unseen }),
    objects: { [object]: { type: 'GeometryCollection', geometries } },
    arcs,
  }
}

/** Rounded outwards. */
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
