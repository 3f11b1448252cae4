import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { incrementCounter } from '#server/counters.ts'

/** Each chunk of a body takes Node's parser some two microseconds, however short, and some two hundred bytes until it is read. */
export const CHUNK_MIN_BYTES = 256
/** Chunks that a body may have beyond one for each CHUNK_MIN_BYTES of it: twice what `readBody` accepts, which answers 413. */
const SPARE_CHUNKS = 4000
/** What is read of one body, also of one that was refused: a client that is cut off while sending may never see the reason. */
const MAX_READ_BYTES = 256 * 1024 * 1024

/**
 * A request whose body is limited while it is parsed, whether anything reads it or not: in bytes, and in chunks for its size. Past
 * the limit its connection is closed.
 */
export class LimitedRequest extends IncomingMessage {
  /** `socket` may be null while the body still arrives. */
  readonly #connection: Socket
  #bytes = 0
  #chunks = 0

  constructor(connection: Socket) {
    super(connection)
    this.#connection = connection
  }

  /** Node's parser hands over each chunk of the body, and null at the end. */
  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) return super.push(chunk, encoding)
    // The parser goes through what has arrived, although the connection is closed.
    if (this.#connection.destroyed) return false
    this.#bytes += chunk.length
    this.#chunks++
    if (this.#bytes <= MAX_READ_BYTES && this.#chunks <= SPARE_CHUNKS + this.#bytes / CHUNK_MIN_BYTES)
      return super.push(chunk, encoding)
    incrementCounter('connections dropped', 'body')
    this.#connection.destroy()
    return false
  }
}

/**
 * The server's response class for requests of `LimitedRequest`: it reads what is left of a body when the answer ends. Node would
 * discard that without `push`, and so without a limit.
 */
export function withLimitedRest(Response: typeof ServerResponse): typeof ServerResponse {
  return class extends Response {
    constructor(...args: ConstructorParameters<typeof ServerResponse>) {
      super(...args)
      // Before `finish`, where Node asks whether anything has read the body. One function for all: a closure for each answer takes a
      // twentieth of the time of a cached page.
      this.on('prefinish', readRest)
    }
  } as typeof ServerResponse
}

function readRest(this: ServerResponse): void {
  const { req } = this
  if (req.complete) return
  req.on('data', () => {})
  req.read(0)
  req.resume()
}
