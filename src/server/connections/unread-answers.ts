import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'
import { clientIp } from './client-ip.ts'

export interface UnreadLimits {
  /** Unread bytes in memory of one network (of IPv6 a /48); 0: no limit, in total neither. */
  bytesPerNetwork: number
  /** Unread bytes of all networks. */
  bytesTotal: number
  /** A reader without progress for this time is disconnected, ms. */
  stallMs: number
  /** Time between two checks of progress, ms. */
  checkIntervalMs: number
  trustProxy: boolean
}

/** A connection whose answer waits in memory until the operating system takes it. */
interface Reader {
  socket: Socket
  network: string
  /** Unread bytes. */
  bytes: number
  /** Bytes of the connection's answers that the operating system has accepted so far. */
  taken: number
  /** Time of the last progress, ms of `performance.now()`. */
  takenAt: number
}

/** Readers are disconnected until this share of a limit is free again: otherwise each new one would cause a check of all. */
const FREED_SHARE = 1 / 8

/**
 * Bounds the memory of unread answers, of each network and in total. Above a limit the longest stalled reader of the largest network is
 * disconnected, and so is each reader without progress for `stallMs`.
 *
 * Every answer is measured where it is written, so that no route and no stream can be forgotten: give `Response` to the server.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Readers with unread bytes, oldest first. */
  readonly #readers = new Map<Socket, Reader>()
  /** Bytes by network. */
  readonly #bytes = new Map<string, number>()
  #total = 0
  /** Sockets with a listener for `close`. */
  readonly #closeListened = new WeakSet<Socket>()
  readonly #timer: NodeJS.Timeout

  constructor(limits: UnreadLimits) {
    this.#limits = limits
    this.#timer = setInterval(() => this.#cutStalled(), limits.checkIntervalMs).unref()
  }

  /** The class of the server's responses (option `ServerResponse` of `createServer`). */
  get Response(): typeof ServerResponse {
    const measure = (res: ServerResponse) => this.#measure(res)
    return class MeasuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
      override write(...args: unknown[]): boolean {
        const takesMore = super.write(...(args as [string]))
        if (!takesMore) measure(this)
        return takesMore
      }

      override end(...args: unknown[]): this {
        super.end(...(args as [string]))
        // For a reader that keeps up, the operating system accepts the whole answer immediately.
        if (this.writableLength > 0) measure(this)
        return this
      }
    }
  }

  /** Unread bytes, of one network or in total. */
  bytes(network?: string): number {
    for (const reader of this.#readers.values()) this.#update(reader)
    return network === undefined ? this.#total : (this.#bytes.get(network) ?? 0)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #measure(res: ServerResponse): void {
    const { req } = res
    const { socket } = req
    if (socket.destroyed) return
    const network = toSitePrefix(clientIp(req, this.#limits.trustProxy))
    let reader = this.#readers.get(socket)
    // A proxy's connection serves one client after another.
    if (reader && reader.network !== network) this.#release(socket)
    if (reader?.network === network) this.#updateProgress(reader)
    else {
      reader = { socket, network, bytes: 0, taken: takenBytes(socket), takenAt: performance.now() }
      this.#readers.set(socket, reader)
      if (!this.#closeListened.has(socket)) {
        this.#closeListened.add(socket)
        socket.once('close', () => this.#release(socket))
      }
    }
    this.#count(reader, res.writableLength)
    const { bytesPerNetwork, bytesTotal } = this.#limits
    if (bytesPerNetwork === 0) return
    if (this.#bytes.get(reader.network)! > bytesPerNetwork || this.#total > bytesTotal)
      this.#evictSlowest(reader.network)
  }

  #count(reader: Reader, bytes: number): void {
    const change = bytes - reader.bytes
    reader.bytes = bytes
    this.#total += change
    const ofNetwork = (this.#bytes.get(reader.network) ?? 0) + change
    if (ofNetwork > 0) this.#bytes.set(reader.network, ofNetwork)
    else this.#bytes.delete(reader.network)
  }

  #release(socket: Socket): void {
    const reader = this.#readers.get(socket)
    if (!reader) return
    this.#count(reader, 0)
    this.#readers.delete(socket)
  }

  /** Updates a reader's unread bytes and its progress since the last check. */
  #update(reader: Reader): void {
    const { socket } = reader
    if (socket.destroyed || socket.writableLength === 0) return this.#release(socket)
    this.#count(reader, socket.writableLength)
    this.#updateProgress(reader)
  }

  #updateProgress(reader: Reader): void {
    const taken = takenBytes(reader.socket)
    if (taken > reader.taken) reader.takenAt = performance.now()
    reader.taken = taken
  }

  /** Disconnects readers until `network` and the total are below their limits. */
  #evictSlowest(network: string): void {
    const { bytesPerNetwork, bytesTotal } = this.#limits
    for (const reader of this.#readers.values()) this.#update(reader)
    // The sort is stable: readers with equal times stay oldest first.
    const slowest = [...this.#readers.values()].toSorted((a, b) => a.takenAt - b.takenAt)
    const cutSlowestOf = (of: string): boolean => {
      const index = slowest.findIndex((reader) => reader.network === of)
      if (index < 0) return false
      this.#cut(slowest.splice(index, 1)[0]!, 'unread')
      return true
    }
    const isOver = (bytes: number, bound: number) => bytes > bound * (1 - FREED_SHARE)
    if ((this.#bytes.get(network) ?? 0) > bytesPerNetwork)
      while (isOver(this.#bytes.get(network) ?? 0, bytesPerNetwork)) if (!cutSlowestOf(network)) break
    if (this.#total > bytesTotal)
      while (isOver(this.#total, bytesTotal)) if (!cutSlowestOf(this.#largestNetwork())) break
  }

  /** The network with most bytes. */
  #largestNetwork(): string {
    let largest = ''
    let most = 0
    for (const [network, bytes] of this.#bytes) if (bytes > most) [largest, most] = [network, bytes]
    return largest
  }

  #cutStalled(): void {
    const now = performance.now()
    for (const reader of this.#readers.values()) {
      this.#update(reader)
      if (reader.bytes > 0 && now - reader.takenAt >= this.#limits.stallMs) this.#cut(reader, 'stalled')
    }
  }

  /** Resets the connection: after an orderly end the system would keep the accepted bytes until they are read. */
  #cut({ socket }: Reader, reason: 'unread' | 'stalled'): void {
    this.#release(socket)
    incrementCounter('connections dropped', reason)
    // A socket that systemd passes may not be TCP; only TCP has a reset.
    if (socket.remoteAddress === undefined) socket.destroy()
    else socket.resetAndDestroy()
  }
}

/** Internal counts that Node's own timeouts read, too: bytes handed to the system, and those of them not accepted yet. */
interface SocketHandle {
  bytesWritten: number
  writeQueueSize: number
}

/** Bytes that the operating system has accepted, exact within a large write, unlike Node's public counts. */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: SocketHandle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
