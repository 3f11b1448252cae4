/** Time of a frame that drawing may take; the rest is for input. */
const FRAME_BUDGET_MS = 6

/** Runs work for a few milliseconds of each frame, so that the map can be dragged meanwhile. A piece added twice runs once. */
export class FrameQueue<T> {
  #pending = new Set<T>()
  #frame = 0
  readonly #run: (piece: T) => void
  readonly #isUrgent: (piece: T) => boolean
  /** @param isUrgent whether a piece runs before the others, evaluated in each frame */
  constructor(run: (piece: T) => void, isUrgent: (piece: T) => boolean) {
    this.#run = run
    this.#isUrgent = isUrgent
  }
  add(piece: T) {
    this.#pending.add(piece)
    this.#frame ||= requestAnimationFrame(this.#runFrame)
  }
  remove(piece: T) {
    this.#pending.delete(piece)
  }
  clear() {
    this.#pending.clear()
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }
  #runFrame = () => {
    const end = performance.now() + FRAME_BUDGET_MS
    do {
      const pieces = [...this.#pending]
      const piece = pieces.find(this.#isUrgent) ?? pieces[0]
      if (piece === undefined) break
      this.#pending.delete(piece)
      this.#run(piece)
    } while (performance.now() < end)
    this.#frame = this.#pending.size ? requestAnimationFrame(this.#runFrame) : 0
  }
}
