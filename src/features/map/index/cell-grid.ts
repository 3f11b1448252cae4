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
  /** The lowest rank in it: its newest dog, whose photo stands for the cell. */
  lowestRank: number
  /** The only item in it; undefined once there are several. */
  only: S | undefined
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

  /**
   * Adds `count` dogs at a location; `x` and `y` are its Mercator coordinates. An existing cell is updated in place: of ten
   * thousand dogs most fall into existing cells.
   * @param first their lowest rank, where ranks matter
   */
  add(
    x: number,
    y: number,
    lon: number,
    lat: number,
    count: number,
    bbox: Area | null,
    only: S | undefined,
    first = Infinity,
  ): void {
    const key = Math.floor(y * this.#world) * ROW_STRIDE + Math.floor(x * this.#world)
    this.#put(this.#cells, key, lon, lat, count, bbox, only, first)
  }

  /** The cells, merged into cells of twice the width until at most `max` are left. */
  atMost(max: number): GridCell<S>[] {
    while (this.#cells.size > max) {
      const wider = new Map<number, GridCell<S>>()
      for (const { key, lon, lat, count, bbox, only, lowestRank } of this.#cells.values()) {
        const x = key % ROW_STRIDE
        const y = (key - x) / ROW_STRIDE
        this.#put(wider, (y >> 1) * ROW_STRIDE + (x >> 1), lon, lat, count, bbox, only, lowestRank)
      }
      this.#cells = wider
    }
    return [...this.#cells.values()]
  }

  #put(
    cells: Map<number, GridCell<S>>,
    key: number,
    lon: number,
    lat: number,
    count: number,
    bbox: Area | null,
    only: S | undefined,
    first: number,
  ): void {
    const cell = cells.get(key)
    if (!cell) {
      cells.set(key, { key, lon, lat, count, bbox: bbox ? [...bbox] : [lon, lat, lon, lat], lowestRank: first, only })
      return
    }
    cell.count += count
    cell.lon += ((lon - cell.lon) * count) / cell.count
    cell.lat += ((lat - cell.lat) * count) / cell.count
    cell.only = undefined
    cell.lowestRank = Math.min(cell.lowestRank, first)
    const box = cell.bbox
    box[0] = Math.min(box[0], bbox ? bbox[0] : lon)
    box[1] = Math.min(box[1], bbox ? bbox[1] : lat)
    box[2] = Math.max(box[2], bbox ? bbox[2] : lon)
    box[3] = Math.max(box[3], bbox ? bbox[3] : lat)
  }
}
