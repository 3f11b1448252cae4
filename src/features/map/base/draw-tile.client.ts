import type { Box } from '#lib/topology.ts'
import { clipLine, clipRing } from './clip.ts'
import { AMERICA_ZOOM_MIN, type BaseMapFiles } from './base-map-files.client.ts'
import { type Line, ringsContain } from './geometry.ts'
import { type LabelKind, LABEL_STYLES } from './label-placement.ts'
import { type PlaceNames, SOFT_NAMES_ZOOM_MAX, TOWN_ZOOM_MIN, worldSize } from './place-names.ts'
import type { Palette } from './palette.ts'

export const TILE_PX = 256
/** Pixels around a tile that are drawn too: more than half of the widest stroke. */
const DRAW_MARGIN_PX = 12
const PROVINCES_ZOOM_MIN = 5
const GRID_ZOOM_MIN = 11

export interface TileCoords {
  x: number
  y: number
  z: number
}

export const fontOf = (kind: LabelKind) =>
  `${LABEL_STYLES[kind].weight} ${LABEL_STYLES[kind].size}px "Figtree Variable", system-ui, sans-serif`

/** Draws one tile of the map: sea, land, borders, names. Files that are not loaded are left out. */
export function drawTile(
  context: CanvasRenderingContext2D,
  { x, y, z }: TileCoords,
  files: BaseMapFiles,
  names: PlaceNames,
  colours: Palette,
) {
  const size = worldSize(z)
  const { provinces, townBorders } = files
  const world = (z >= AMERICA_ZOOM_MIN && files.america) || files.world
  const isDetailed = z >= PROVINCES_ZOOM_MIN && !!provinces
  // The world repeats past 180°: shapes that go on there are drawn in the neighbouring world too.
  const views = [0, -1, 1].map((turn) => ({
    dx: x * TILE_PX - turn * size,
    box: [
      (x * TILE_PX - DRAW_MARGIN_PX) / size - turn,
      (y * TILE_PX - DRAW_MARGIN_PX) / size,
      (x * TILE_PX + TILE_PX + DRAW_MARGIN_PX) / size - turn,
      (y * TILE_PX + TILE_PX + DRAW_MARGIN_PX) / size,
    ] as Box,
  }))
  const dy = y * TILE_PX

  /** Adds points to the path, without those less than half a pixel from the last one. */
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
  context.fillRect(0, 0, TILE_PX, TILE_PX)
  if (!world) return
  const land = isDetailed ? provinces.land : world.spain
  const coasts = isDetailed ? provinces.coasts : world.spainCoasts
  const shore = Math.min(10, 1 + z * 1.2)
  drawWave(context, { x, y, z }, [...world.others, ...land], colours)
  stroke(world.coasts, colours.shore, shore)
  stroke(coasts, colours.shore, shore)
  fill(world.others, colours.others)
  if (z >= GRID_ZOOM_MIN) drawGrid(context, fill, world.others, colours)
  stroke(world.coasts, colours.edge, z < 5 ? 0.7 : 1)
  stroke(world.borders, colours.edge, z < 5 ? 0.7 : 1)
  fill(land, colours.land)
  if (z >= GRID_ZOOM_MIN) drawGrid(context, fill, land, colours)
  if (z >= TOWN_ZOOM_MIN)
    for (const borders of townBorders) stroke(borders, colours.town, z < 11 ? 0.7 : z < 13 ? 1.1 : 1.8)
  if (isDetailed) {
    if (z >= 6) stroke(provinces.provinces, colours.province, z < 8 ? 0.7 : 1, z < 8 ? [1, 2.5] : [1.5, 4])
    stroke(provinces.regions, colours.region, z < 8 ? 0.9 : 1.4, z < 8 ? [1.2, 3] : [3, 4.5])
  }
  stroke(coasts, colours.coast, z < 5 ? 0.8 : z < 8 ? 1.2 : 1.5)
  drawNames(context, { x, y, z }, names, colours)
}

/** Draws a grid of dots on land, for zooms with few other details. */
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

/** Draws a wave on some of the tiles that have open sea where it goes. */
function drawWave(context: CanvasRenderingContext2D, { x, y, z }: TileCoords, land: readonly Line[], colours: Palette) {
  if (z < 4) return
  const chance = Math.abs(Math.sin(x * 12.9898 + y * 78.233 + z) * 43758.5453)
  if (chance % 1 > 0.4) return
  const left = 50 + ((chance * 10) % 1) * 110
  const top = 40 + ((chance * 100) % 1) * 170
  const size = worldSize(z)
  for (const ax of [-14, 20, 54])
    for (const ay of [-18, 4, 26])
      if (ringsContain(land, (x * TILE_PX + left + ax) / size, (y * TILE_PX + top + ay) / size)) return
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

function drawNames(context: CanvasRenderingContext2D, { x, y, z }: TileCoords, names: PlaceNames, colours: Palette) {
  context.textBaseline = 'middle'
  context.lineWidth = 3.5
  context.strokeStyle = colours.halo
  const reach = 4
  const box: Box = [
    x * TILE_PX - reach,
    y * TILE_PX - reach,
    x * TILE_PX + TILE_PX + reach,
    y * TILE_PX + TILE_PX + reach,
  ]
  for (const { text, kind, left, middle, x: dotX, y: dotY } of names.within(z, box)) {
    const { spacing, dot } = LABEL_STYLES[kind]
    const px = left - x * TILE_PX
    const py = middle - y * TILE_PX
    context.font = fontOf(kind)
    if ('letterSpacing' in context) context.letterSpacing = `${spacing}px`
    context.strokeText(text, px, py)
    context.fillStyle =
      kind === 'around' || kind === 'region'
        ? colours.inkFaint
        : dot && z > SOFT_NAMES_ZOOM_MAX
          ? colours.ink
          : colours.inkSoft
    context.fillText(text, px, py)
    if (!dot) continue
    context.beginPath()
    context.arc(dotX - x * TILE_PX, dotY - y * TILE_PX, dot, 0, 7)
    context.stroke()
    context.fill()
  }
}
