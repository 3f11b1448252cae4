import type { Area } from './map.ts'

/** Something on the map: dogs at a place. */
export interface Spot {
  lon: number
  lat: number
  count: number
  bbox: Area
}

/** A cell of the grid, with the spots in it taken together. */
export interface Cell<S extends Spot> extends Spot {
  /** Names the cell: the same for every view of this zoom. */
  key: number
  /** The only spot in it; undefined once there are several. */
  only: S | undefined
}

/** Pixels of the finest cell's side: a cluster with room around it. */
const SIDE = 64
const ROW = 2 ** 22

/**
 * Takes spots together in the cells of a grid that lies fixed on the world, so that nothing jumps when the view moves. The
 * cells grow, twice as wide each time, until at most `max` are taken: where few dogs stand they stay alone, and crowds
 * become clusters.
 */
export function gather<S extends Spot>(spots: Iterable<S>, zoom: number, max: number): Cell<S>[] {
  const world = (256 * 2 ** zoom) / SIDE
  let cells = new Map<number, Cell<S>>()
  for (const spot of spots) {
    const sin = Math.sin((spot.lat * Math.PI) / 180)
    const x = Math.floor((spot.lon / 360 + 0.5) * world)
    const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * world)
    put(cells, y * ROW + x, spot, spot)
  }
  while (cells.size > max) {
    const wider = new Map<number, Cell<S>>()
    for (const cell of cells.values()) {
      const x = cell.key % ROW
      const y = (cell.key - x) / ROW
      put(wider, (y >> 1) * ROW + (x >> 1), cell, cell.only)
    }
    cells = wider
  }
  return [...cells.values()]
}

/** Cells are changed in place: of ten thousand spots most fall into one that is there. */
function put<S extends Spot>(cells: Map<number, Cell<S>>, key: number, spot: Spot, only: S | undefined): void {
  const { lon, lat, count, bbox } = spot
  const there = cells.get(key)
  if (!there) {
    cells.set(key, { lon, lat, count, bbox: [...bbox], key, only })
    return
  }
  there.count += count
  there.lon += ((lon - there.lon) * count) / there.count
  there.lat += ((lat - there.lat) * count) / there.count
  there.only = undefined
  const all = there.bbox as [number, number, number, number]
  if (bbox[0] < all[0]) all[0] = bbox[0]
  if (bbox[1] < all[1]) all[1] = bbox[1]
  if (bbox[2] > all[2]) all[2] = bbox[2]
  if (bbox[3] > all[3]) all[3] = bbox[3]
}
