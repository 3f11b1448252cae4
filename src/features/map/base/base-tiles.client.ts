import { doBoxesOverlap, type Box } from '#lib/topology.ts'
import { FrameQueue } from './frame-queue.client.ts'
import type { TileCoords } from './draw-tile.client.ts'

/** Files arrive one after another: tiles wait this long for the next before they are drawn again. */
const REDRAW_DELAY_MS = 60

export interface BaseTile {
  coords: TileCoords
  /** In degrees. */
  box: Box
  /** Degrees beyond the box within which a change may affect the tile. */
  reach: number
}

/** The canvas tiles in the document: which are drawn, in what order, and again when a file arrives. */
export class BaseTiles {
  readonly #tiles = new Map<HTMLCanvasElement, BaseTile & { onDrawn: (() => void) | null }>()
  readonly #queue: FrameQueue<HTMLCanvasElement>
  readonly #stale = new Set<HTMLCanvasElement>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #zoom = 0

  constructor(draw: (canvas: HTMLCanvasElement, tile: BaseTile) => void) {
    const drawKnown = (canvas: HTMLCanvasElement) => {
      const tile = this.#tiles.get(canvas)
      if (!tile) return
      draw(canvas, tile)
      tile.onDrawn?.()
      tile.onDrawn = null
    }
    // A flight through zooms leaves tiles behind that are soon removed.
    const isOfCurrentZoom = (canvas: HTMLCanvasElement) => this.#tiles.get(canvas)?.coords.z === this.#zoom
    this.#queue = new FrameQueue(drawKnown, isOfCurrentZoom)
  }

  /** Adds a tile without drawing it. @param onDrawn called after the first drawing */
  add(canvas: HTMLCanvasElement, tile: BaseTile, onDrawn: () => void): void {
    this.#zoom = tile.coords.z
    this.#tiles.set(canvas, { ...tile, onDrawn })
  }

  /** Draws a tile in one of the next frames, unless it has been removed. */
  requestDraw(canvas: HTMLCanvasElement): void {
    if (this.#tiles.has(canvas)) this.#queue.add(canvas)
  }

  remove(canvas: HTMLCanvasElement): void {
    this.#tiles.delete(canvas)
    this.#queue.remove(canvas)
  }

  /** Draws the drawn tiles again: those within reach of `box`, or all with null. */
  redraw(box: Box | null): void {
    for (const [canvas, tile] of this.#tiles)
      if (!tile.onDrawn && (!box || doBoxesOverlap(widenBox(tile.box, tile.reach), box))) this.#stale.add(canvas)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const canvas of this.#stale) this.#queue.add(canvas)
      this.#stale.clear()
    }, REDRAW_DELAY_MS)
  }

  /** Cancels all pending drawing. */
  stop(): void {
    this.#queue.clear()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  clear(): void {
    this.#tiles.clear()
  }
}

const widenBox = ([west, south, east, north]: Box, by: number): Box => [west - by, south - by, east + by, north + by]
