/** Memory for composed pages until they are sent, used again and again: fresh memory for each costs more than composing it. */

const SLAB_BYTES = 1024 * 1024
/** Slabs at once. A reader who reads nothing holds a whole one, which no limit of unread answers counts: further pages get memory of their own. */
const SLABS_MAX = 8

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
  /** Slabs that are free; the others are in use. */
  readonly #spare: Slab[] = []
  #count = 1

  /** Joins buffers, as Buffer.concat. */
  join(buffers: readonly Buffer[]): JoinedPage {
    let length = 0
    for (const buffer of buffers) length += buffer.length
    const hasRoom = length <= SLAB_BYTES / 4 && (this.#slab.used + length <= SLAB_BYTES || this.#replaceSlab())
    if (!hasRoom) return { body: Buffer.concat(buffers, length), release: noop }
    const slab = this.#slab
    const start = slab.used
    for (const buffer of buffers) {
      slab.buffer.set(buffer, slab.used)
      slab.used += buffer.length
    }
    slab.pending++
    return { body: slab.buffer.subarray(start, slab.used), release: () => this.#release(slab) }
  }

  /** @returns false where all slabs are in use */
  #replaceSlab(): boolean {
    const full = this.#slab
    if (full.pending === 0) {
      full.used = 0
      return true
    }
    const free = this.#spare.pop()
    if (!free && this.#count === SLABS_MAX) return false
    if (!free) this.#count++
    this.#slab = free ?? newSlab()
    return true
  }

  #release(slab: Slab): void {
    slab.pending--
    if (slab.pending > 0 || slab === this.#slab) return
    slab.used = 0
    this.#spare.push(slab)
  }
}
