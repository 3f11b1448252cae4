import { doBoxesOverlap, type Box } from '#lib/topology.ts'
import type { TileCoords } from './draw-tile.client.ts'

/** Files arrive one after another: tiles wait this long for the next before they are drawn again. */
const REDRAW_DELAY_MS = 60
/** Time of a frame that drawing may take; the rest is for input. */
const FRAME_BUDGET_MS = 6

export interface BaseTile {
  coords: TileCoords
  /** In degrees. */
  box: Box
  /** Degrees beyond the box within which a change may affect the tile. */
  reach: number
}

/** The canvas tiles in the document: which are drawn, for a few milliseconds of each frame, and again when a file arrives. */
export class BaseTiles {
  readonly #tiles = new Map<HTMLCanvasElement, BaseTile & { onDrawn: (() => void) | null }>()
  /** To be drawn in the next frames. */
  readonly #pending = new Set<HTMLCanvasElement>()
  /** To be drawn again once no more files arrive. */
  readonly #stale = new Set<HTMLCanvasElement>()
  readonly #draw: (canvas: HTMLCanvasElement, tile: BaseTile) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame = 0
  #zoom = 0

  constructor(draw: (canvas: HTMLCanvasElement, tile: BaseTile) => void) {
    this.#draw = draw
  }

  /** Adds a tile without drawing it. @param onDrawn called after the first drawing */
  add(canvas: HTMLCanvasElement, tile: BaseTile, onDrawn: () => void): void {
    this.#zoom = tile.coords.z
    this.#tiles.set(canvas, { ...tile, onDrawn })
  }

  /** Draws a tile in one of the next frames, unless it has been removed. */
  requestDraw(canvas: HTMLCanvasElement): void {
    if (!this.#tiles.has(canvas)) return
    this.#pending.add(canvas)
    this.#frame ||= requestAnimationFrame(this.#drawSome)
  }

  remove(canvas: HTMLCanvasElement): void {
    this.#tiles.delete(canvas)
    this.#pending.delete(canvas)
  }

  /** Draws the drawn tiles again: those within reach of `box`, or all with null. */
  redraw(box: Box | null): void {
    for (const [canvas, tile] of this.#tiles)
      if (!tile.onDrawn && (!box || doBoxesOverlap(widenBox(tile.box, tile.reach), box))) this.#stale.add(canvas)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const canvas of this.#stale) this.requestDraw(canvas)
      this.#stale.clear()
    }, REDRAW_DELAY_MS)
  }

  /** Cancels all pending drawing. */
  stop(): void {
    this.#pending.clear()
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  clear(): void {
    this.#tiles.clear()
  }

  readonly #drawSome = (): void => {
    const end = performance.now() + FRAME_BUDGET_MS
    do {
      const pending = [...this.#pending]
      // A flight through zooms leaves tiles behind that are soon removed.
      const canvas = pending.find((each) => this.#tiles.get(each)?.coords.z === this.#zoom) ?? pending[0]
      if (!canvas) break
      this.#pending.delete(canvas)
      const tile = this.#tiles.get(canvas)
      if (!tile) continue
      this.#draw(canvas, tile)
      tile.onDrawn?.()
      tile.onDrawn = null
    } while (performance.now() < end)
    this.#frame = this.#pending.size ? requestAnimationFrame(this.#drawSome) : 0
  }
}

const widenBox = ([west, south, east, north]: Box, by: number): Box => [west - by, south - by, east + by, north + by]
