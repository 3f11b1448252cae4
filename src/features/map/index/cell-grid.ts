import type { Area } from '#features/map/map.ts'

/** Where a place lies on the square of the world's map, from 0 to 1, from the upper left. */
export const mercatorX = (lon: number): number => lon / 360 + 0.5
export function mercatorY(lat: number): number {
  const sin = Math.sin((lat * Math.PI) / 180)
  return Math.max(0, Math.min(1, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)))
}

/** A cell of the grid, with what stands in it taken together. */
export interface GridCell<S> {
  /** Names the cell: the same for every view of this zoom. */
  key: number
  lon: number
  lat: number
  count: number
  bbox: [west: number, south: number, east: number, north: number]
  /** The lowest rank of what is in it, which names its face. */
  lowestRank: number
  /** The only thing in it; undefined once there are several. */
  only: S | undefined
}

/** Pixels of the finest cell's side: a mark with room around it (view/bundles.ts). */
export const CELL_SIDE_PX = 80
const ROW_STRIDE = 2 ** 22

/**
 * Takes dogs and clusters together in the cells of a grid that lies fixed on the world, so that nothing jumps when the
 * view moves. Where few stand they stay alone, and crowds become clusters.
 */
export class CellGrid<S> {
  readonly #world: number
  #cells = new Map<number, GridCell<S>>()

  constructor(zoom: number) {
    this.#world = (256 * 2 ** zoom) / CELL_SIDE_PX
  }

  /**
   * Puts `count` dogs at a place; `x` and `y` are its Mercator ones. The cell that is there changes in place: of ten
   * thousand dogs most fall into one.
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

  /** The cells, twice as wide each time until they are at most `max`. */
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
    const there = cells.get(key)
    if (!there) {
      cells.set(key, { key, lon, lat, count, bbox: bbox ? [...bbox] : [lon, lat, lon, lat], lowestRank: first, only })
      return
    }
    there.count += count
    there.lon += ((lon - there.lon) * count) / there.count
    there.lat += ((lat - there.lat) * count) / there.count
    there.only = undefined
    there.lowestRank = Math.min(there.lowestRank, first)
    const all = there.bbox
    all[0] = Math.min(all[0], bbox ? bbox[0] : lon)
    all[1] = Math.min(all[1], bbox ? bbox[1] : lat)
    all[2] = Math.max(all[2], bbox ? bbox[2] : lon)
    all[3] = Math.max(all[3], bbox ? bbox[3] : lat)
  }
}
