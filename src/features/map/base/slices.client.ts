/** Milliseconds of a frame that drawing may take; the rest is the reader's. */
const SLICE = 6

/** Work done a few milliseconds a frame, so that the map can be dragged meanwhile; a piece put in twice is done once. */
export class Slices<T> {
  #todo = new Set<T>()
  #frame = 0
  readonly #deed: (piece: T) => void
  constructor(deed: (piece: T) => void) {
    this.#deed = deed
  }
  add(piece: T) {
    this.#todo.add(piece)
    this.#frame ||= requestAnimationFrame(this.#run)
  }
  drop(piece: T) {
    this.#todo.delete(piece)
  }
  clear() {
    this.#todo.clear()
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }
  #run = () => {
    const end = performance.now() + SLICE
    for (const piece of this.#todo) {
      this.#todo.delete(piece)
      this.#deed(piece)
      if (performance.now() > end) break
    }
    this.#frame = this.#todo.size ? requestAnimationFrame(this.#run) : 0
  }
}
