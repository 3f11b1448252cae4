import { type Box, doBoxesOverlap } from '#lib/topology.ts'

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
/** Space between a mark of dogs and a label beside it. */
const MARK_GAP_PX = 4
/** How far from its point a name may stand because of a mark: farther it would name another place. */
const MOVE_MAX_PX = 36
type Position = readonly [left: number, middle: number]
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
    const { gap } = LABEL_STYLES[name.kind]
    const isFree = (label: Label) => {
      const [west, north, east, south] = this.#textBox(label)
      return !this.#isTaken(label.box) && !this.#isTaken([west - gap, north - gap / 2, east + gap, south + gap / 2])
    }
    return (
      this.#positions(name)
        .map((position) => this.#labelAt(name, position))
        .find(isFree) ?? null
    )
  }

  /**
   * Finds other positions for labels whose text would be under marks of dogs: at their point, or beside the mark that covers it.
   * All other labels stay where they are.
   * @param marks boxes in pixels of the zoom's world
   * @returns the moved labels; null for those with no free position near their point, which are not shown
   */
  avoid(marks: readonly Box[]): Map<Label, Label | null> {
    const moved = new Map<Label, Label | null>()
    const taken: Box[] = []
    const isFree = (box: Box) =>
      ![...marks, ...taken].some((other) => doBoxesOverlap(other, box)) &&
      ![...this.within(box)].some((other) => !moved.has(other))
    for (const mark of marks)
      for (const label of this.within(mark)) {
        if (moved.has(label) || !doBoxesOverlap(mark, this.#textBox(label))) continue
        moved.set(label, null)
        const beside = this.#positionsBeside(label, marks)
          .map((position) => this.#labelAt(label, position))
          .find((other) => {
            const text = this.#textBox(other)
            return isFree(text) && distanceTo(text, label) <= MOVE_MAX_PX
          })
        if (!beside) continue
        moved.set(label, beside)
        taken.push(this.#textBox(beside))
      }
    return moved
  }

  /** The positions of a name at its point, and below, above and beside the mark that covers it. */
  #positionsBeside(label: Label, marks: readonly Box[]): Position[] {
    const { x, y, kind } = label
    const width = this.#widthOf(label.text, kind)
    const half = LABEL_STYLES[kind].size * 0.6 + MARK_GAP_PX
    const cover = marks.find((mark) => x > mark[0] && x < mark[2] && y > mark[1] && y < mark[3])
    if (!cover) return this.#positions(label)
    const [west, north, east, south] = cover
    const centred = (west + east - width) / 2
    const beside: Position[] = [
      [centred, south + half],
      [centred, north - half],
      [east + MARK_GAP_PX, (north + south) / 2],
      [west - MARK_GAP_PX - width, (north + south) / 2],
    ]
    const distance = ([left, middle]: Position) => distanceTo(this.#textBox({ ...label, left, middle }), label)
    return beside.toSorted((a, b) => distance(a) - distance(b))
  }

  #labelAt(name: LabelRequest, [left, middle]: Position): Label {
    const text = this.#textBox({ ...name, left, middle })
    return { ...name, left, middle, box: LABEL_STYLES[name.kind].dot ? unionBox(dotBox(name), text) : text }
  }

  #textBox({ text, kind, left, middle }: Omit<Label, 'box'>): Box {
    const { size } = LABEL_STYLES[kind]
    return [left, middle - size * 0.6, left + this.#widthOf(text, kind), middle + size * 0.6]
  }

  /** Beside, above and below its dot; a name without a dot on its point or a line from it. */
  #positions({ text, kind, x, y }: LabelRequest): Position[] {
    const { size, dot } = LABEL_STYLES[kind]
    const width = this.#widthOf(text, kind)
    const offsetX = dot + 5
    const offsetY = dot + 3 + size / 2
    if (!dot) return [0, -1, 1].map((line) => [x - width / 2, y + line * size])
    return [
      [x + offsetX, y],
      [x - offsetX - width, y],
      [x - width / 2, y - offsetY],
      [x - width / 2, y + offsetY],
    ]
  }

  /** The labels that intersect a box (pixels of the zoom's world). */
  *within(box: Readonly<Box>): Generator<Label> {
    const seen = new Set<Label>()
    for (const cell of this.#cellsOf(box))
      for (const label of this.#cells.get(cell) ?? [])
        if (!seen.has(label) && doBoxesOverlap(label.box, box)) {
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
    return !this.within(box).next().done
  }

  *#cellsOf([west, north, east, south]: Readonly<Box>): Generator<number> {
    for (let x = Math.floor(west / CELL_PX); x <= Math.floor(east / CELL_PX); x++)
      for (let y = Math.floor(north / CELL_PX); y <= Math.floor(south / CELL_PX); y++) yield cellKey(x, y)
  }
}

const dotBox = ({ kind, x, y }: LabelRequest): Box => {
  const { dot } = LABEL_STYLES[kind]
  return [x - dot, y - dot, x + dot, y + dot]
}
/** The distance from a box to a point outside it. */
const distanceTo = ([west, north, east, south]: Box, { x, y }: LabelRequest): number =>
  Math.hypot(Math.max(west - x, 0, x - east), Math.max(north - y, 0, y - south))
const unionBox = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]
