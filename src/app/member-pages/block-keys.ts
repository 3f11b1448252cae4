import { hash } from 'node:crypto'
import { windowOf } from './pieces.ts'

/** Compressed blocks of a page by what they were made of (`BlockKeys`). */
export type Blocks = ReadonlyMap<string, Buffer>

/**
 * Names the blocks of a run by all that their bytes depend on: the text and what it may refer to before it, each part by its SHA-256. A
 * page that is rendered again has most of its text unchanged, and takes the blocks of the page before.
 */
export class BlockKeys {
  readonly #parts: { digest: string; bytes: number }[] = []
  readonly #level: number

  constructor(level: number) {
    this.#level = level
  }

  /** The key of a text, which is from now on a part that later texts refer to. */
  add(plain: Buffer): string {
    const digest = hash('sha256', plain, 'base64')
    const names = [String(this.#level), digest]
    let left = windowOf(plain.length)
    let index = this.#parts.length
    while (index > 0 && left > 0) {
      const part = this.#parts[--index]!
      names.push(part.digest)
      left -= part.bytes
    }
    // Where the window reaches the beginning, it is shorter than elsewhere.
    if (left > 0) names.push('beginning')
    this.#parts.push({ digest, bytes: plain.length })
    return hash('sha256', names.join(), 'base64')
  }

  /** A switch, to whose state no text refers. */
  addSwitch(bytes: number): void {
    this.#parts.push({ digest: `switch ${bytes}`, bytes })
  }
}
