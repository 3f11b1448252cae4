import type { Box } from '../topology.ts'
import { clipLine, clipRing } from './clip.ts'
import { AMERICA_ZOOM_MIN, type Files } from './files.client.ts'
import { type Line, within } from './geometry.ts'
import { type Kind, STYLES } from './labels.ts'
import { type Names, QUIET_ZOOM_MAX, TOWN_ZOOM_MIN, worldSize } from './names.ts'
import type { Palette } from './palette.ts'

export const TILE = 256
/** Pixels around a tile that are drawn along with it: half of the widest stroke, and more. */
const MARGIN = 12
const PROVINCES_ZOOM = 5
const GRID_ZOOM = 11

export interface Place {
  x: number
  y: number
  z: number
}

export const fontOf = (kind: Kind) =>
  `${STYLES[kind].weight} ${STYLES[kind].size}px "Figtree Variable", system-ui, sans-serif`

/** Draws one tile of the map: sea, land, borders, names. What has not been loaded is left out. */
export function drawTile(
  context: CanvasRenderingContext2D,
  { x, y, z }: Place,
  files: Files,
  names: Names,
  colours: Palette,
) {
  const size = worldSize(z)
  const { provinces, towns } = files
  const world = (z >= AMERICA_ZOOM_MIN && files.america) || files.world
  const detailed = z >= PROVINCES_ZOOM && !!provinces
  // The world goes on past 180°: its parts there are drawn where they come round again.
  const views = [0, -1, 1].map((turn) => ({
    dx: x * TILE - turn * size,
    box: [
      (x * TILE - MARGIN) / size - turn,
      (y * TILE - MARGIN) / size,
      (x * TILE + TILE + MARGIN) / size - turn,
      (y * TILE + TILE + MARGIN) / size,
    ] as Box,
  }))
  const dy = y * TILE

  /** Adds points to the path, those left out that are no half pixel on. */
  const trace = (xy: ArrayLike<number>, dx: number) => {
    let lastX = NaN
    let lastY = NaN
    for (let i = 0; i < xy.length; i += 2) {
      const px = xy[i]! * size - dx
      const py = xy[i + 1]! * size - dy
      if (i === 0) context.moveTo(px, py)
      else if (Math.abs(px - lastX) + Math.abs(py - lastY) > 0.5 || i === xy.length - 2) context.lineTo(px, py)
      else continue
      lastX = px
      lastY = py
    }
  }
  const fill = (rings: readonly Line[], style: string | CanvasPattern) => {
    context.beginPath()
    for (const { dx, box } of views)
      for (const ring of rings) {
        const cut = clipRing(ring, box)
        if (cut.length) {
          trace(cut, dx)
          context.closePath()
        }
      }
    context.fillStyle = style
    context.fill()
  }
  const stroke = (lines: readonly Line[], style: string, width: number, dash: number[] = []) => {
    context.strokeStyle = style
    context.lineWidth = width
    context.setLineDash(dash)
    context.beginPath()
    for (const { dx, box } of views)
      for (const line of lines)
        for (const piece of clipLine(line, box)) {
          if (dash.length) {
            context.lineDashOffset = piece.start * size
            context.beginPath()
          }
          trace(piece.xy, dx)
          if (dash.length) context.stroke()
        }
    if (!dash.length) context.stroke()
    context.setLineDash([])
  }

  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.fillStyle = colours.sea
  context.fillRect(0, 0, TILE, TILE)
  if (!world) return
  const land = detailed ? provinces.land : world.spain
  const coasts = detailed ? provinces.coasts : world.spainCoasts
  const shore = Math.min(10, 1 + z * 1.2)
  drawWave(context, { x, y, z }, [...world.others, ...land], colours)
  stroke(world.coasts, colours.shore, shore)
  stroke(coasts, colours.shore, shore)
  fill(world.others, colours.others)
  if (z >= GRID_ZOOM) drawGrid(context, fill, world.others, colours)
  stroke(world.coasts, colours.edge, z < 5 ? 0.7 : 1)
  stroke(world.borders, colours.edge, z < 5 ? 0.7 : 1)
  fill(land, colours.land)
  if (z >= GRID_ZOOM) drawGrid(context, fill, land, colours)
  if (z >= TOWN_ZOOM_MIN)
    for (const { borders } of towns.values()) stroke(borders, colours.town, z < 11 ? 0.7 : z < 13 ? 1.1 : 1.8)
  if (detailed) {
    if (z >= 6) stroke(provinces.provinces, colours.province, z < 8 ? 0.7 : 1, z < 8 ? [1, 2.5] : [1.5, 4])
    stroke(provinces.regions, colours.region, z < 8 ? 0.9 : 1.4, z < 8 ? [1.2, 3] : [3, 4.5])
  }
  stroke(coasts, colours.coast, z < 5 ? 0.8 : z < 8 ? 1.2 : 1.5)
  drawNames(context, { x, y, z }, names, colours)
}

/** The paper's dots, where there is little else to see. */
function drawGrid(
  context: CanvasRenderingContext2D,
  fill: (rings: readonly Line[], style: CanvasPattern) => void,
  land: readonly Line[],
  colours: Palette,
) {
  const step = 16
  const scale = context.getTransform().a
  const dot = new OffscreenCanvas(step * scale, step * scale)
  const ink = dot.getContext('2d')!
  ink.scale(scale, scale)
  ink.fillStyle = colours.grid
  ink.beginPath()
  ink.arc(step / 2, step / 2, 1.1, 0, 7)
  ink.fill()
  const pattern = context.createPattern(dot, 'repeat')!
  pattern.setTransform(new DOMMatrix().scale(1 / scale))
  fill(land, pattern)
}

/** A wave, on some tiles that have open sea in the right place. */
function drawWave(context: CanvasRenderingContext2D, { x, y, z }: Place, land: readonly Line[], colours: Palette) {
  if (z < 4) return
  const chance = Math.abs(Math.sin(x * 12.9898 + y * 78.233 + z) * 43758.5453)
  if (chance % 1 > 0.4) return
  const left = 50 + ((chance * 10) % 1) * 110
  const top = 40 + ((chance * 100) % 1) * 170
  const size = worldSize(z)
  for (const ax of [-14, 20, 54])
    for (const ay of [-18, 4, 26]) if (within(land, (x * TILE + left + ax) / size, (y * TILE + top + ay) / size)) return
  context.strokeStyle = colours.wave
  context.lineWidth = 1.4
  context.beginPath()
  for (const [from, line, humps] of [
    [0, 0, 3],
    [14, 8, 2],
  ] as const) {
    context.moveTo(left + from, top + line)
    for (let i = 0; i < humps; i++) {
      const at = left + from + i * 11
      context.quadraticCurveTo(at + 3, top + line - 4, at + 5.5, top + line)
      context.quadraticCurveTo(at + 8, top + line + 4, at + 11, top + line)
    }
  }
  context.stroke()
}

function drawNames(context: CanvasRenderingContext2D, { x, y, z }: Place, names: Names, colours: Palette) {
  context.textBaseline = 'middle'
  context.lineWidth = 3.5
  context.strokeStyle = colours.halo
  const reach = 4
  const box: Box = [x * TILE - reach, y * TILE - reach, x * TILE + TILE + reach, y * TILE + TILE + reach]
  for (const { text, kind, left, middle, x: dotX, y: dotY } of names.within(z, box)) {
    const { spacing, dot } = STYLES[kind]
    const px = left - x * TILE
    const py = middle - y * TILE
    context.font = fontOf(kind)
    if ('letterSpacing' in context) context.letterSpacing = `${spacing}px`
    context.strokeText(text, px, py)
    context.fillStyle =
      kind === 'around' || kind === 'region'
        ? colours.inkFaint
        : dot && z > QUIET_ZOOM_MAX
          ? colours.ink
          : colours.inkSoft
    context.fillText(text, px, py)
    if (!dot) continue
    context.beginPath()
    context.arc(dotX - x * TILE, dotY - y * TILE, dot, 0, 7)
    context.stroke()
    context.fill()
  }
}
