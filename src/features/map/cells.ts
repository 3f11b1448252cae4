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
    const key = y * ROW + x
    put(cells, { ...spot, key, only: spot })
  }
  while (cells.size > max) {
    const wider = new Map<number, Cell<S>>()
    for (const cell of cells.values()) {
      const x = cell.key % ROW
      const y = (cell.key - x) / ROW
      put(wider, { ...cell, key: (y >> 1) * ROW + (x >> 1) })
    }
    cells = wider
  }
  return [...cells.values()]
}

function put<S extends Spot>(cells: Map<number, Cell<S>>, cell: Cell<S>): void {
  const there = cells.get(cell.key)
  if (!there) {
    cells.set(cell.key, cell)
    return
  }
  const count = there.count + cell.count
  there.lon += ((cell.lon - there.lon) * cell.count) / count
  there.lat += ((cell.lat - there.lat) * cell.count) / count
  there.bbox = around(there.bbox, cell.bbox)
  there.count = count
  there.only = undefined
}

/** The area that holds both. */
export const around = (a: Area, b: Area): Area => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]
