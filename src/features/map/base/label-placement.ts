import type { Box } from '#features/map/topology.ts'

/** Style of a name: country, autonomous community, large, medium and small town, quarter, repeated municipality. */
export type LabelKind = 'country' | 'region' | 'city' | 'town' | 'village' | 'quarter' | 'around'

export interface LabelRequest {
  text: string
  kind: LabelKind
  /** In pixels of the zoom's world. */
  x: number
  y: number
}

export interface Label extends LabelRequest {
  /** The text's left end and vertical middle, in pixels of the zoom's world. */
  left: number
  middle: number
  /** Around text and dot. */
  box: Box
}

/** Text styles in pixels: `gap` is free space around the text, `dot` the radius of a town's dot. Text without a dot is centred on its point. */
export const LABEL_STYLES: Record<
  LabelKind,
  { size: number; weight: number; spacing: number; gap: number; dot: number }
> = {
  country: { size: 13, weight: 650, spacing: 1.2, gap: 10, dot: 0 },
  region: { size: 12, weight: 600, spacing: 1.8, gap: 8, dot: 0 },
  city: { size: 15, weight: 700, spacing: 0, gap: 6, dot: 3.5 },
  town: { size: 13, weight: 600, spacing: 0, gap: 7, dot: 2.5 },
  village: { size: 12, weight: 500, spacing: 0, gap: 9, dot: 2 },
  quarter: { size: 13, weight: 500, spacing: 0, gap: 12, dot: 0 },
  around: { size: 13, weight: 600, spacing: 2, gap: 16, dot: 0 },
}

const CELL_PX = 256
const cellKey = (x: number, y: number) => x * 1_048_576 + y

/**
 * Places the names of one zoom without overlaps, first come, first served. Positions are pixels of the whole world, independent of
 * the view, so that names do not jump when the map is dragged and are not cut between tiles.
 */
export class LabelPlacement {
  #cells = new Map<number, Label[]>()
  readonly #widthOf: (text: string, kind: LabelKind) => number
  /** @param widthOf measures a text in pixels */
  constructor(widthOf: (text: string, kind: LabelKind) => number) {
    this.#widthOf = widthOf
  }

  /** Places a name beside, above or below its dot, at the first free position. @returns false where none is free */
  add(name: LabelRequest): boolean {
    const label = this.fit(name)
    if (label) this.#store(label)
    return !!label
  }

  /** The first free position for a name, without placing it; null where none is free. */
  fit(name: LabelRequest): Label | null {
    const { size, gap, dot } = LABEL_STYLES[name.kind]
    const width = this.#widthOf(name.text, name.kind)
    const dotBox: Box = [name.x - dot, name.y - dot, name.x + dot, name.y + dot]
    const offsetX = dot + 5
    const offsetY = dot + 3 + size / 2
    const positions: [left: number, middle: number][] = dot
      ? [
          [name.x + offsetX, name.y],
          [name.x - offsetX - width, name.y],
          [name.x - width / 2, name.y - offsetY],
          [name.x - width / 2, name.y + offsetY],
        ]
      : [0, -1, 1].map((line) => [name.x - width / 2, name.y + line * size])
    for (const [left, middle] of positions) {
      const text: Box = [left, middle - size * 0.6, left + width, middle + size * 0.6]
      const box = dot ? unionBox(dotBox, text) : text
      if (!this.#isTaken(box) && !this.#isTaken([text[0] - gap, text[1] - gap / 2, text[2] + gap, text[3] + gap / 2]))
        return { ...name, left, middle, box }
    }
    return null
  }

  /** The labels that intersect a box (pixels of the zoom's world). */
  *within(box: Readonly<Box>): Generator<Label> {
    const seen = new Set<Label>()
    for (const cell of this.#cellsOf(box))
      for (const label of this.#cells.get(cell) ?? [])
        if (!seen.has(label) && doBoxesIntersect(label.box, box)) {
          seen.add(label)
          yield label
        }
  }

  #store(label: Label) {
    for (const key of this.#cellsOf(label.box)) {
      const cell = this.#cells.get(key)
      if (cell) cell.push(label)
      else this.#cells.set(key, [label])
    }
  }

  #isTaken(box: Readonly<Box>): boolean {
    for (const key of this.#cellsOf(box))
      if (this.#cells.get(key)?.some((other) => doBoxesIntersect(other.box, box))) return true
    return false
  }

  *#cellsOf([west, north, east, south]: Readonly<Box>): Generator<number> {
    for (let x = Math.floor(west / CELL_PX); x <= Math.floor(east / CELL_PX); x++)
      for (let y = Math.floor(north / CELL_PX); y <= Math.floor(south / CELL_PX); y++) yield cellKey(x, y)
  }
}

const doBoxesIntersect = (a: Readonly<Box>, b: Readonly<Box>) =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
const unionBox = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]
