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

/** The steps of a line near a box, in pieces. With `start`, dashes continue from one tile to the next. */
export function clipLine({ xy, box }: Line, to: Readonly<Box>): LinePiece[] {
  const pieces: LinePiece[] = []
  if (!doBoxesOverlap(box, to)) return pieces
  let piece: LinePiece | null = null
  let along = 0
  for (let i = 2; i < xy.length; i += 2) {
    const [ax, ay, bx, by] = [xy[i - 2]!, xy[i - 1]!, xy[i]!, xy[i + 1]!]
    if (doBoxesOverlap([Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)], to)) {
      if (!piece) pieces.push((piece = { xy: [ax, ay], start: along }))
      piece.xy.push(bx, by)
    } else piece = null
    along += Math.hypot(bx - ax, by - ay)
  }
  return pieces
}
