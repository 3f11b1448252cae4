import type { Line } from './borders.ts'

/** The smallest triangle, in square degrees (of latitude), that a point must form with its neighbours to stay at this place. */
export type Tolerance = (lon: number, lat: number) => number

/**
 * Removes the points that form the smallest triangles with their neighbours (Visvalingam's algorithm). The ends stay. A loop
 * keeps three corners; one with an area under `minLoopTolerances` times the tolerance becomes a single point.
 */
export function simplify(
  line: Line,
  toDegrees: (at: Line[number]) => [lon: number, lat: number],
  tolerance: Tolerance,
  minLoopTolerances = 1,
): Line {
  const points = line.map(toDegrees)
  const lonScale = Math.cos((points[0]![1] * Math.PI) / 180)
  const isLoop = String(line[0]) === String(line.at(-1))
  const shape = points.map(([x, y]): [number, number] => [x * lonScale, y])
  if (isLoop && ringArea(shape) < minLoopTolerances * tolerance(...points[0]!)) return [line[0]!]
  const limit = points.map(([x, y]) => tolerance(x, y))
  const before = line.map((_, i) => i - 1)
  const after = line.map((_, i) => i + 1)
  const weightOf = (i: number) => triangleArea(shape[before[i]!]!, shape[i]!, shape[after[i]!]!) / limit[i]!
  const heap = line.slice(1, -1).map((_, i): [number, number] => [weightOf(i + 1), i + 1])
  heap.sort(([a], [b]) => b - a)
  const current = new Map(heap.map(([value, i]) => [i, value]))
  let left = heap.length
  while (heap.length && left > (isLoop ? 2 : 0)) {
    const [value, i] = heap.pop()!
    if (current.get(i) !== value) continue
    if (value >= 1) break
    current.delete(i)
    left--
    after[before[i]!] = after[i]!
    before[after[i]!] = before[i]!
    for (const next of [before[i]!, after[i]!]) {
      if (!current.has(next)) continue
      // At least the weight of the removed point, so that removal stays in order.
      const weight = Math.max(value, weightOf(next))
      current.set(next, weight)
      insertSorted(heap, [weight, next])
    }
  }
  return line.filter((_, i) => i === 0 || i === line.length - 1 || current.has(i))
}

function insertSorted(heap: [number, number][], item: [number, number]) {
  let low = 0
  let high = heap.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (heap[middle]![0] > item[0]) low = middle + 1
    else high = middle
  }
  heap.splice(low, 0, item)
}

const triangleArea = (a: [number, number], b: [number, number], c: [number, number]) =>
  Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2

const ringArea = (ring: [number, number][]) =>
  Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring.at(i - 1)![1] - y * ring.at(i - 1)![0], 0)) / 2
