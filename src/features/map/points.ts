import { mercatorX, mercatorY } from './cells.ts'
import type { Area } from './map.ts'

/** Degrees of a cell's side, about two kilometres: a zone's dogs fill a few. */
const SIDE = 0.02
const COLUMNS = 18_001

/**
 * Points by the cell they stand in, for counting and finding those of an area exactly. A community lives in a few thousand
 * cells, so each question looks at all of them and at the points of those cut by the area's edge.
 */
export class Points {
  /** Where each point lies on the Mercator square. */
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly #lons: Float64Array
  readonly #lats: Float64Array
  /** Indexes of points cell by cell, ascending in each. */
  readonly #order: Uint32Array
  /** Where each cell begins in `#order`, and its place. */
  readonly #starts: Uint32Array
  readonly #columns: Uint16Array
  readonly #rows: Uint16Array

  constructor(points: readonly { lon: number; lat: number }[]) {
    const count = points.length
    this.xs = new Float64Array(count)
    this.ys = new Float64Array(count)
    this.#lons = new Float64Array(count)
    this.#lats = new Float64Array(count)
    this.#order = new Uint32Array(count)
    const cellOf = new Uint32Array(count)
    const cells = new Map<number, number>()
    const sizes: number[] = []
    for (let i = 0; i < count; i++) {
      const { lon, lat } = points[i]!
      this.#lons[i] = lon
      this.#lats[i] = lat
      this.xs[i] = mercatorX(lon)
      this.ys[i] = mercatorY(lat)
      const key = rowOf(lat) * COLUMNS + columnOf(lon)
      let cell = cells.get(key)
      if (cell === undefined) {
        cells.set(key, (cell = cells.size))
        sizes.push(0)
      }
      cellOf[i] = cell
      sizes[cell]!++
    }
    this.#starts = new Uint32Array(cells.size + 1)
    for (let c = 0; c < sizes.length; c++) this.#starts[c + 1] = this.#starts[c]! + sizes[c]!
    const at = this.#starts.slice()
    for (let i = 0; i < count; i++) this.#order[at[cellOf[i]!]!++] = i
    this.#columns = new Uint16Array(cells.size)
    this.#rows = new Uint16Array(cells.size)
    for (const [key, cell] of cells) {
      this.#columns[cell] = key % COLUMNS
      this.#rows[cell] = Math.floor(key / COLUMNS)
    }
  }

  /** How many points stand in the areas, their edges included. */
  count(areas: readonly Area[]): number {
    let total = 0
    for (const area of areas)
      this.#cells(area, (from, to, isWhole) => {
        if (isWhole) total += to - from
        else for (let k = from; k < to; k++) if (this.#isIn(this.#order[k]!, area)) total++
      })
    return total
  }

  /** The indexes of the points in the areas, in no order. */
  find(areas: readonly Area[], visit: (index: number) => void): void {
    for (const area of areas)
      this.#cells(area, (from, to, isWhole) => {
        for (let k = from; k < to; k++) {
          const i = this.#order[k]!
          if (isWhole || this.#isIn(i, area)) visit(i)
        }
      })
  }

  /** The first `limit` indexes of the areas that are at least `from`, ascending. */
  first(areas: readonly Area[], from: number, limit: number): number[] {
    let found: number[] = []
    let end = Infinity
    const cut = () => {
      found = found.sort((a, b) => a - b).slice(0, limit)
      if (found.length === limit) end = found.at(-1)!
    }
    this.find(areas, (i) => {
      if (i < from || i >= end) return
      if (found.push(i) >= limit + 2048) cut()
    })
    cut()
    return found
  }

  #isIn(i: number, [west, south, east, north]: Area): boolean {
    const lon = this.#lons[i]!
    const lat = this.#lats[i]!
    return lon >= west && lon <= east && lat >= south && lat <= north
  }

  #cells([west, south, east, north]: Area, visit: (from: number, to: number, isWhole: boolean) => void): void {
    const [left, bottom, right, top] = [columnOf(west), rowOf(south), columnOf(east), rowOf(north)]
    for (let c = 0; c < this.#columns.length; c++) {
      const x = this.#columns[c]!
      const y = this.#rows[c]!
      if (x < left || x > right || y < bottom || y > top) continue
      visit(this.#starts[c]!, this.#starts[c + 1]!, x > left && x < right && y > bottom && y < top)
    }
  }
}

const columnOf = (lon: number) => Math.floor((lon + 180) / SIDE)
const rowOf = (lat: number) => Math.floor((lat + 90) / SIDE)
