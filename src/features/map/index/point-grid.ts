import { CELL_SIDE_PX, mercatorX, mercatorY } from './cell-grid.ts'
import { UNITS_PER_DEGREE } from './dog-table.ts'
import { type Area, ZOOM_MAX } from '#features/map/map.ts'

/** Side of a block, about two kilometres: a zone's dogs are in a few blocks. */
const BLOCK_SIDE_DEGREES = 0.02
const BLOCK_COLUMNS = 18_001
/** The finest cells of the grid in cell-grid.ts: those of the highest zoom. */
const FINEST_CELLS_PER_WORLD = (256 * 2 ** ZOOM_MAX) / CELL_SIDE_PX

/** Points in one finest cell, which no zoom splits. */
export interface PointRun {
  count: number
  /** Their centroid. */
  lon: number
  lat: number
  bbox: Area
  /** The lowest of their indexes: the newest dog. */
  lowestIndex: number
}

/**
 * Points by block, and within a block by finest cell, to count and find the points of an area exactly. A community has a few
 * thousand blocks; a million dogs of eight thousand towns, some hundred thousand cells. A query visits all blocks, the cells of
 * blocks that the area's edge crosses, and the points of cells that it crosses. The points of one cell are a run.
 */
export class PointGrid {
  readonly length: number
  readonly #lons: Int32Array
  readonly #lats: Int32Array
  /** Indexes of points, run by run and block by block. */
  readonly #order: Uint32Array
  /** Index in `#order` of each run's first point. */
  readonly #starts: Uint32Array
  /** West, south, east and north of each run. */
  readonly #edges: Int32Array
  /** Sums of each run's longitudes and latitudes. */
  readonly #sums: Float64Array
  /** Index of each block's first run. */
  readonly #runs: Uint32Array
  /** Position of each block in the grid of blocks. */
  readonly #columns: Uint16Array
  readonly #rows: Uint16Array

  /** @param lons hundred-thousandths of degrees, as are `lats` */
  constructor(lons: Int32Array, lats: Int32Array) {
    const count = (this.length = lons.length)
    this.#lons = lons
    this.#lats = lats
    const { order, starts, columns, rows } = sortByBlock(this)
    this.#order = order
    this.#columns = columns
    this.#rows = rows
    const cells = new Float64Array(count)
    for (let i = 0; i < count; i++) cells[i] = cellOf(this.lon(i), this.lat(i))
    const cellAt = (i: number) => cells[i]!
    const startOf = (block: number) => starts[block]!
    const begins = new Uint32Array(count + 1)
    let runs = 0
    this.#runs = new Uint32Array(columns.length + 1)
    for (let block = 0; block < columns.length; block++) {
      const [from, to] = [startOf(block), startOf(block + 1)]
      order.subarray(from, to).sort((a, b) => cellAt(a) - cellAt(b))
      for (let k = from; k < to; k++)
        if (k === from || cellAt(this.#point(k)) !== cellAt(this.#point(k - 1))) begins[runs++] = k
      this.#runs[block + 1] = runs
    }
    begins[runs] = count
    this.#starts = begins.slice(0, runs + 1)
    this.#edges = new Int32Array(runs * 4)
    this.#sums = new Float64Array(runs * 2)
    for (let run = 0; run < runs; run++) this.#measure(run)
  }

  lon(i: number): number {
    return this.#lons[i]! / UNITS_PER_DEGREE
  }

  lat(i: number): number {
    return this.#lats[i]! / UNITS_PER_DEGREE
  }

  /** Index in `#order` of a run's first point; of the run after the last one, the end. */
  #start(run: number): number {
    return this.#starts[run]!
  }

  /** A block's first run; of the block after the last one, the end. */
  #firstRun(block: number): number {
    return this.#runs[block]!
  }

  /** The point at an index of `#order`. */
  #point(k: number): number {
    return this.#order[k]!
  }

  /** Number of points in the areas, edges included. */
  count(areas: readonly Area[]): number {
    let total = 0
    const visitInside = (from: number, to: number) => (total += this.#start(to) - this.#start(from))
    this.#visit(areas, visitInside, (run, area) => this.#inRun(run, area, () => total++))
    return total
  }

  /** Visits the indexes of the points in the areas, unordered. */
  find(areas: readonly Area[], visit: (index: number) => void): void {
    const visitInside = (from: number, to: number) => {
      for (let k = this.#start(from); k < this.#start(to); k++) visit(this.#point(k))
    }
    this.#visit(areas, visitInside, (run, area) => this.#inRun(run, area, visit))
  }

  /** Visits the points in the areas, several points of one finest cell as a run. */
  gather(areas: readonly Area[], visitRun: (run: PointRun) => void, visitPoint: (index: number) => void): void {
    const visitInside = (from: number, to: number) => {
      for (let run = from; run < to; run++) {
        const count = this.#start(run + 1) - this.#start(run)
        const first = this.#point(this.#start(run))
        if (count === 1) visitPoint(first)
        else visitRun({ count, ...this.#middleOf(run, count), bbox: this.#bboxOf(run), lowestIndex: first })
      }
    }
    const visitCrossed = (run: number, area: Area) => {
      const inside: number[] = []
      this.#inRun(run, area, (i) => inside.push(i))
      if (inside.length > 1) visitRun(this.#toRun(inside))
      else for (const i of inside) visitPoint(i)
    }
    this.#visit(areas, visitInside, visitCrossed)
  }

  /** The first `limit` indexes of the areas that are at least `from`, ascending. */
  first(areas: readonly Area[], from: number, limit: number): number[] {
    const inside = this.count(areas)
    const found: number[] = []
    // Where the areas contain many of all points, a scan in order finds the next ones soon.
    if (inside * inside > limit * this.length) {
      const end = Math.min(this.length, from + inside)
      let i = from
      for (; i < end && found.length < limit; i++) if (areas.some((area) => this.#isIn(i, area))) found.push(i)
      if (found.length === limit || i === this.length) return found
    }
    return this.#lowest(areas, from, limit)
  }

  /** The same, by sorting the points of the areas. */
  #lowest(areas: readonly Area[], from: number, limit: number): number[] {
    let found: number[] = []
    let end = Infinity
    const truncate = () => {
      found = found.sort((a, b) => a - b).slice(0, limit)
      if (found.length === limit) end = found.at(-1) ?? end
    }
    this.find(areas, (i) => {
      if (i < from || i >= end) return
      if (found.push(i) >= limit + 2048) truncate()
    })
    truncate()
    return found
  }

  #measure(run: number): void {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
    let [lonSum, latSum] = [0, 0]
    const end = this.#start(run + 1)
    for (let k = this.#start(run); k < end; k++) {
      const i = this.#point(k)
      const [lon, lat] = [this.#lons[i]!, this.#lats[i]!]
      if (lon < west) west = lon
      if (lat < south) south = lat
      if (lon > east) east = lon
      if (lat > north) north = lat
      lonSum += lon
      latSum += lat
    }
    this.#edges.set([west, south, east, north], run * 4)
    this.#sums.set([lonSum, latSum], run * 2)
  }

  #toRun(points: readonly number[]): PointRun {
    const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
    const sum = { lon: 0, lat: 0 }
    for (const i of points) {
      const [lon, lat] = [this.lon(i), this.lat(i)]
      sum.lon += lon
      sum.lat += lat
      if (lon < bbox[0]) bbox[0] = lon
      if (lat < bbox[1]) bbox[1] = lat
      if (lon > bbox[2]) bbox[2] = lon
      if (lat > bbox[3]) bbox[3] = lat
    }
    const first = Math.min(...points)
    return {
      count: points.length,
      lon: sum.lon / points.length,
      lat: sum.lat / points.length,
      bbox,
      lowestIndex: first,
    }
  }

  #middleOf(run: number, count: number) {
    return {
      lon: this.#sums[run * 2]! / count / UNITS_PER_DEGREE,
      lat: this.#sums[run * 2 + 1]! / count / UNITS_PER_DEGREE,
    }
  }

  #bboxOf(run: number): Area {
    const edge = (n: number) => this.#edges[run * 4 + n]! / UNITS_PER_DEGREE
    return [edge(0), edge(1), edge(2), edge(3)]
  }

  #isIn(i: number, [west, south, east, north]: Area): boolean {
    const [lon, lat] = [this.lon(i), this.lat(i)]
    return lon >= west && lon <= east && lat >= south && lat <= north
  }

  /** Visits runs that are inside the areas, several at once where their block is inside, and runs that an edge may cross. */
  #visit(
    areas: readonly Area[],
    visitInside: (from: number, to: number) => void,
    visitCrossed: (run: number, area: Area) => void,
  ) {
    for (const area of areas) {
      const [west, south, east, north] = area
      const [left, bottom, right, top] = [columnOf(west), rowOf(south), columnOf(east), rowOf(north)]
      for (let block = 0; block < this.#columns.length; block++) {
        const x = this.#columns[block]!
        const y = this.#rows[block]!
        if (x < left || x > right || y < bottom || y > top) continue
        const [from, to] = [this.#firstRun(block), this.#firstRun(block + 1)]
        if (x > left && x < right && y > bottom && y < top) {
          visitInside(from, to)
          continue
        }
        for (let run = from; run < to; run++) {
          const [first, lowest, last, highest] = this.#bboxOf(run)
          if (last < west || first > east || highest < south || lowest > north) continue
          if (first >= west && last <= east && lowest >= south && highest <= north) visitInside(run, run + 1)
          else visitCrossed(run, area)
        }
      }
    }
  }

  #inRun(run: number, area: Area, visit: (index: number) => void): void {
    for (let k = this.#start(run); k < this.#start(run + 1); k++) {
      const i = this.#point(k)
      if (this.#isIn(i, area)) visit(i)
    }
  }
}

/** Sorts points by block. @returns their order, the start of each block in it, and each block's position */
function sortByBlock(points: Pick<PointGrid, 'length' | 'lon' | 'lat'>) {
  const count = points.length
  const blockOf = new Uint32Array(count)
  const blocks = new Map<number, number>()
  const sizes: number[] = []
  for (let i = 0; i < count; i++) {
    const key = rowOf(points.lat(i)) * BLOCK_COLUMNS + columnOf(points.lon(i))
    let block = blocks.get(key)
    if (block === undefined) blocks.set(key, (block = blocks.size))
    blockOf[i] = block
    sizes[block] = (sizes[block] ?? 0) + 1
  }
  const starts = new Uint32Array(blocks.size + 1)
  let end = 0
  for (const [block, size] of sizes.entries()) starts[block + 1] = end += size
  const at = starts.slice()
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[at[blockOf[i]!]!++] = i
  const columns = new Uint16Array(blocks.size)
  const rows = new Uint16Array(blocks.size)
  for (const [key, block] of blocks) {
    columns[block] = key % BLOCK_COLUMNS
    rows[block] = Math.floor(key / BLOCK_COLUMNS)
  }
  return { order, starts, columns, rows }
}

const columnOf = (lon: number) => Math.floor((lon + 180) / BLOCK_SIDE_DEGREES)
const rowOf = (lat: number) => Math.floor((lat + 90) / BLOCK_SIDE_DEGREES)
const cellOf = (lon: number, lat: number) =>
  Math.floor(mercatorY(lat) * FINEST_CELLS_PER_WORLD) * 2 ** 22 + Math.floor(mercatorX(lon) * FINEST_CELLS_PER_WORLD)
