import { type Box, doBoxesOverlap } from '#lib/topology.ts'
import type { Line } from './geometry.ts'

/** Indexes of a box's edges: x and y of its low corner, then of its high one. */
const SIDES = [0, 1, 2, 3] as const

/** Cuts a ring to a box (Sutherland–Hodgman): far outside of a tile canvas coordinates lose precision. */
export function clipRing({ xy, box }: Line, to: Readonly<Box>): ArrayLike<number> {
  if (!doBoxesOverlap(box, to)) return []
  let ring: ArrayLike<number> = xy
  for (const side of SIDES) {
    if (ring.length === 0) break
    const axis = side & 1
    const isHigh = side > 1
    const limit = to[side]
    if (isHigh ? box[side] <= limit : box[side] >= limit) continue
    const out: number[] = []
    let px = ring[ring.length - 2]!
    let py = ring[ring.length - 1]!
    let previous = (axis ? py : px) - limit
    for (let i = 0; i < ring.length; i += 2) {
      const x = ring[i]!
      const y = ring[i + 1]!
      const current = (axis ? y : x) - limit
      if (isHigh ? previous <= 0 !== current <= 0 : previous >= 0 !== current >= 0) {
        const part = previous / (previous - current)
        out.push(axis ? px + (x - px) * part : limit, axis ? limit : py + (y - py) * part)
      }
      if (isHigh ? current <= 0 : current >= 0) out.push(x, y)
      px = x
      py = y
      previous = current
    }
    ring = out
  }
  return ring
}

/** A piece of a line (x, y, x, y…), and the distance of its start along the whole line. */
interface LinePiece {
  xy: number[]
  start: number
}

/** The pieces of a line within a box. With `start`, dashes continue from one tile to the next. */
export function clipLine({ xy, box }: Line, to: Readonly<Box>): LinePiece[] {
  if (!doBoxesOverlap(box, to)) return []
  const pieces: LinePiece[] = []
  let piece: LinePiece | null = null
  let along = 0
  for (let i = 2; i < xy.length; i += 2) {
    const ax = xy[i - 2]!
    const ay = xy[i - 1]!
    const dx = xy[i]! - ax
    const dy = xy[i + 1]! - ay
    const length = Math.hypot(dx, dy)
    const part = clipStep(ax, ay, dx, dy, to)
    if (!part) piece = null
    else {
      const [first, last] = part
      if (!piece || first > 0)
        pieces.push((piece = { xy: [ax + dx * first, ay + dy * first], start: along + length * first }))
      piece.xy.push(ax + dx * last, ay + dy * last)
      if (last < 1) piece = null
    }
    along += length
  }
  return pieces
}

/** The part of a step (0 to 1) that is in the box; null where none is (Liang–Barsky). */
function clipStep(ax: number, ay: number, dx: number, dy: number, to: Readonly<Box>): [number, number] | null {
  let first = 0
  let last = 1
  for (const side of SIDES) {
    const [from, step] = side & 1 ? [ay, dy] : [ax, dx]
    const speed = side > 1 ? step : -step
    const distance = side > 1 ? to[side] - from : from - to[side]
    if (speed > 0) last = Math.min(last, distance / speed)
    else if (speed < 0) first = Math.max(first, distance / speed)
    else if (distance < 0) return null
  }
  return first < last ? [first, last] : null
}
