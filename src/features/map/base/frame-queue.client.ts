/** Milliseconds of a frame that drawing may take; the rest is the reader's. */
const FRAME_BUDGET_MS = 6

/** Work done a few milliseconds a frame, so that the map can be dragged meanwhile; a piece put in twice is done once. */
export class FrameQueue<T> {
  #todo = new Set<T>()
  #frame = 0
  readonly #deed: (piece: T) => void
  readonly #isUrgent: (piece: T) => boolean
  /** @param isUrgent what is to be done before the rest, asked when its turn has come */
  constructor(deed: (piece: T) => void, isUrgent: (piece: T) => boolean) {
    this.#deed = deed
    this.#isUrgent = isUrgent
  }
  add(piece: T) {
    this.#todo.add(piece)
    this.#frame ||= requestAnimationFrame(this.#run)
  }
  remove(piece: T) {
    this.#todo.delete(piece)
  }
  clear() {
    this.#todo.clear()
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }
  #run = () => {
    const end = performance.now() + FRAME_BUDGET_MS
    do {
      const pieces = [...this.#todo]
      const piece = pieces.find(this.#isUrgent) ?? pieces[0]
      if (piece === undefined) break
      this.#todo.delete(piece)
      this.#deed(piece)
    } while (performance.now() < end)
    this.#frame = this.#todo.size ? requestAnimationFrame(this.#run) : 0
  }
}
