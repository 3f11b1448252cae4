/** Files arrive one after another: tiles wait this long for the next before they are drawn again. */
const REDRAW_DELAY_MS = 60
/** Time of a frame that drawing may take; the rest is for input. */
const FRAME_BUDGET_MS = 6

interface BaseTile {
  zoom: number
  draw: () => void
  /** Called after the first drawing, then null. */
  onDrawn: (() => void) | null
}

/** The canvas tiles in the document: they are drawn for a few milliseconds of each frame, and again when a file arrives. */
export class BaseTiles {
  readonly #tiles = new Map<HTMLCanvasElement, BaseTile>()
  /** To be drawn in the next frames. */
  readonly #pending = new Set<HTMLCanvasElement>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame = 0
  #zoom = 0

  /** Adds a tile without drawing it. */
  add(canvas: HTMLCanvasElement, tile: BaseTile): void {
    this.#zoom = tile.zoom
    this.#tiles.set(canvas, tile)
  }

  /** Draws a tile in one of the next frames, unless it has been removed. */
  requestDraw(canvas: HTMLCanvasElement): void {
    if (!this.#tiles.has(canvas)) return
    this.#pending.add(canvas)
    if (!this.#frame) this.#frame = requestAnimationFrame(this.#drawSome)
  }

  remove(canvas: HTMLCanvasElement): void {
    this.#tiles.delete(canvas)
    this.#pending.delete(canvas)
  }

  /** Draws the drawn tiles again, once no more files arrive. */
  redraw(): void {
    if (this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      for (const [canvas, { onDrawn }] of this.#tiles) if (!onDrawn) this.requestDraw(canvas)
    }, REDRAW_DELAY_MS)
  }

  readonly #drawSome = (): void => {
    const end = performance.now() + FRAME_BUDGET_MS
    do {
      const pending = [...this.#pending]
      // A flight through zooms leaves tiles behind that are soon removed.
      const canvas = pending.find((each) => this.#tiles.get(each)?.zoom === this.#zoom) ?? pending[0]
      const tile = canvas && this.#tiles.get(canvas)
      if (!tile) break
      this.#pending.delete(canvas)
      tile.draw()
      tile.onDrawn?.()
      tile.onDrawn = null
    } while (performance.now() < end)
    this.#frame = this.#pending.size ? requestAnimationFrame(this.#drawSome) : 0
  }
}
