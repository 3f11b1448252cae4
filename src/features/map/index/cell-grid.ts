import type { Area } from '#features/map/map.ts'

/** Web Mercator coordinates from 0 to 1, from the upper left corner of the world. */
export const mercatorX = (lon: number): number => lon / 360 + 0.5
export function mercatorY(lat: number): number {
  const sin = Math.sin((lat * Math.PI) / 180)
  return Math.max(0, Math.min(1, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)))
}

/** A cell of the grid and the aggregate of its content. */
export interface GridCell<S> {
  /** Identifies the cell, equally for every view of this zoom. */
  key: number
  lon: number
  lat: number
  count: number
  bbox: [west: number, south: number, east: number, north: number]
  /** The item that was added first. */
  first: S
  /** Whether it is the only one. */
  isSingle: boolean
}

/** Side of the finest cell: a mark with space around it (view/mark-layout.ts). */
export const CELL_SIDE_PX = 80
const ROW_STRIDE = 2 ** 22

/**
 * Aggregates dogs and clusters in the cells of a grid that is fixed to the world, so that nothing jumps when the view moves.
 * Isolated items stay single, dense ones become clusters.
 */
export class CellGrid<S> {
  readonly #world: number
  #cells = new Map<number, GridCell<S>>()

  constructor(zoom: number) {
    this.#world = (256 * 2 ** zoom) / CELL_SIDE_PX
  }

  /** Adds a dog, or a cluster of `count` dogs within `bbox`. An existing cell is updated in place. */
  add(item: S, lon: number, lat: number, count = 1, bbox?: Area): void {
    const column = Math.floor(mercatorX(lon) * this.#world)
    const row = Math.floor(mercatorY(lat) * this.#world)
    const key = row * ROW_STRIDE + column
    const cell = this.#cells.get(key)
    if (cell) widen(cell, lon, lat, count, bbox)
    else
      this.#cells.set(key, {
        key,
        lon,
        lat,
        count,
        bbox: bbox ? [...bbox] : [lon, lat, lon, lat],
        first: item,
        isSingle: true,
      })
  }

  /** The cells, merged into cells of twice the width until at most `max` are left. */
  atMost(max: number): GridCell<S>[] {
    while (this.#cells.size > max) {
      const wider = new Map<number, GridCell<S>>()
      for (const cell of this.#cells.values()) {
        const column = cell.key % ROW_STRIDE
        const row = (cell.key - column) / ROW_STRIDE
        const key = (row >> 1) * ROW_STRIDE + (column >> 1)
        const into = wider.get(key)
        if (into) widen(into, cell.lon, cell.lat, cell.count, cell.bbox)
        else wider.set(key, { ...cell, key })
      }
      this.#cells = wider
    }
    return [...this.#cells.values()]
  }
}

/** Adds dogs to a cell. */
function widen(cell: GridCell<unknown>, lon: number, lat: number, count: number, area?: Area): void {
  cell.count += count
  cell.lon += ((lon - cell.lon) * count) / cell.count
  cell.lat += ((lat - cell.lat) * count) / cell.count
  cell.isSingle = false
  const { bbox } = cell
  bbox[0] = Math.min(bbox[0], area ? area[0] : lon)
  bbox[1] = Math.min(bbox[1], area ? area[1] : lat)
  bbox[2] = Math.max(bbox[2], area ? area[2] : lon)
  bbox[3] = Math.max(bbox[3], area ? area[3] : lat)
}
