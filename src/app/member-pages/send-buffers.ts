/** Memory for composed pages until they are sent, used again and again: fresh memory for each costs more than composing it. */

const SLAB_BYTES = 1024 * 1024
/** Unused slabs that are kept. */
const SPARE_SLABS_MAX = 8

/** A part of a buffer is given to each page; once all of them are sent, the buffer is free. */
interface Slab {
  buffer: Buffer
  used: number
  /** Pages in it that are not sent yet. */
  pending: number
}

const newSlab = (): Slab => ({ buffer: Buffer.allocUnsafeSlow(SLAB_BYTES), used: 0, pending: 0 })

export interface JoinedPage {
  body: Buffer
  /** To be called once the bytes are sent and nothing reads them any more. */
  release: () => void
}

const noop = () => {}

export class SendBuffers {
  #slab: Slab = newSlab()
  readonly #spare: Slab[] = []

  /** Joins buffers, as Buffer.concat. A page that is never released keeps its slab from being used again, no more. */
  join(buffers: readonly Buffer[]): JoinedPage {
    let length = 0
    for (const buffer of buffers) length += buffer.length
    if (length > SLAB_BYTES / 4) return { body: Buffer.concat(buffers, length), release: noop }
    if (this.#slab.used + length > SLAB_BYTES) this.#replaceSlab()
    const slab = this.#slab
    const start = slab.used
    for (const buffer of buffers) {
      slab.buffer.set(buffer, slab.used)
      slab.used += buffer.length
    }
    slab.pending++
    return { body: slab.buffer.subarray(start, slab.used), release: () => this.#release(slab) }
  }

  #replaceSlab(): void {
    const full = this.#slab
    if (full.pending === 0) full.used = 0
    else this.#slab = this.#spare.pop() ?? newSlab()
  }

  #release(slab: Slab): void {
    slab.pending--
    if (slab.pending > 0 || slab === this.#slab) return
    slab.used = 0
    if (this.#spare.length < SPARE_SLABS_MAX) this.#spare.push(slab)
  }
}
