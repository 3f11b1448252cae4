import type { Box } from '../topology.ts'
import type { Line } from './geometry.ts'

/** Cuts a ring to a box (Sutherland–Hodgman): what a tile fills must not reach far outside it, where pixels lose their place. */
export function clipRing({ xy, box }: Line, to: Readonly<Box>): ArrayLike<number> {
  if (box[0] > to[2] || box[2] < to[0] || box[1] > to[3] || box[3] < to[1]) return []
  let ring: ArrayLike<number> = xy
  for (let side = 0; side < 4 && ring.length; side++) {
    const axis = side & 1
    const high = side > 1
    const limit = to[side]!
    if (high ? box[side]! <= limit : box[side]! >= limit) continue
    const out: number[] = []
    let px = ring[ring.length - 2]!
    let py = ring[ring.length - 1]!
    let last = (axis ? py : px) - limit
    for (let i = 0; i < ring.length; i += 2) {
      const x = ring[i]!
      const y = ring[i + 1]!
      const now = (axis ? y : x) - limit
      if (high ? last <= 0 !== now <= 0 : last >= 0 !== now >= 0) {
        const part = last / (last - now)
        out.push(axis ? px + (x - px) * part : limit, axis ? limit : py + (y - py) * part)
      }
      if (high ? now <= 0 : now >= 0) out.push(x, y)
      px = x
      py = y
      last = now
    }
    ring = out
  }
  return ring
}

/** A piece of a line (x, y, x, y…) and where along the whole line it begins. */
export interface LinePiece {
  xy: number[]
  start: number
}

/** The pieces of a line within a box; `start` lets dashes go on from one tile to the next. */
export function clipLine({ xy, box }: Line, to: Readonly<Box>): LinePiece[] {
  if (box[0] > to[2] || box[2] < to[0] || box[1] > to[3] || box[3] < to[1]) return []
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

/** Which part of a step (0 to 1) lies in the box; null where it passes by (Liang–Barsky). */
function clipStep(ax: number, ay: number, dx: number, dy: number, to: Readonly<Box>): [number, number] | null {
  let first = 0
  let last = 1
  for (let side = 0; side < 4; side++) {
    const [from, step] = side & 1 ? [ay, dy] : [ax, dx]
    const way = side > 1 ? step : -step
    const room = side > 1 ? to[side]! - from : from - to[side]!
    if (way > 0) last = Math.min(last, room / way)
    else if (way < 0) first = Math.max(first, room / way)
    else if (room < 0) return null
  }
  return first < last ? [first, last] : null
}
