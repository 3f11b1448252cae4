import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'
import { clientIp } from './client-ip.ts'

export interface UnreadLimits {
  /** Bytes of answers that wait in memory for the readers of one network (of IPv6 a /48); 0: any number, for all too. */
  bytesPerNetwork: number
  /** The same of all networks. */
  bytesTotal: number
  /** A reader who takes nothing for so long is cut, ms. */
  stallMs: number
  /** Time between two looks at who takes something, ms. */
  checkIntervalMs: number
  trustProxy: boolean
}

/** A connection whose answer waits in memory until the operating system takes it. */
interface Reader {
  socket: Socket
  network: string
  /** What waits. */
  bytes: number
  /** What the operating system has taken of the connection's answers so far, bytes. */
  taken: number
  /** When it last took something, ms of `performance.now()`. */
  takenAt: number
}

/** Readers are cut until so much of a bound is free again: otherwise each new one would have all of them looked at. */
const FREED_SHARE = 1 / 8

/**
 * Bounds what answers that nobody reads hold in memory, of each network and of all. Beyond a bound the reader of the network with
 * most who took nothing for longest is cut, and so is everyone who takes nothing for `stallMs`.
 *
 * Every answer is measured where it is written, so that no route and no stream can be forgotten: give `Response` to the server.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** The readers, those who began to wait first before others. */
  readonly #readers = new Map<Socket, Reader>()
  /** Bytes by network. */
  readonly #bytes = new Map<string, number>()
  #total = 0
  /** Sockets whose end is listened for. */
  readonly #followed = new WeakSet<Socket>()
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
        // A reader who keeps up has it all by now: the operating system took it at once.
        if (this.writableLength > 0) measure(this)
        return this
      }
    }
  }

  /** Bytes that wait, of one network or of all. */
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
    if (reader?.network === network) this.#noteTaken(reader)
    else {
      reader = { socket, network, bytes: 0, taken: takenBytes(socket), takenAt: performance.now() }
      this.#readers.set(socket, reader)
      if (!this.#followed.has(socket)) {
        this.#followed.add(socket)
        socket.once('close', () => this.#release(socket))
      }
    }
    this.#count(reader, res.writableLength)
    const { bytesPerNetwork, bytesTotal } = this.#limits
    if (bytesPerNetwork === 0) return
    if (this.#bytes.get(reader.network)! > bytesPerNetwork || this.#total > bytesTotal) this.#makeRoom(reader.network)
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

  /** Notes what waits now, and what has been taken since the last look. */
  #update(reader: Reader): void {
    const { socket } = reader
    if (socket.destroyed || socket.writableLength === 0) return this.#release(socket)
    this.#count(reader, socket.writableLength)
    this.#noteTaken(reader)
  }

  #noteTaken(reader: Reader): void {
    const taken = takenBytes(reader.socket)
    if (taken > reader.taken) reader.takenAt = performance.now()
    reader.taken = taken
  }

  /** Cuts readers until `network` and all are below their bounds. */
  #makeRoom(network: string): void {
    const { bytesPerNetwork, bytesTotal } = this.#limits
    for (const reader of this.#readers.values()) this.#update(reader)
    // Equal ones stay in the order in which they began to wait.
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
    if (this.#total > bytesTotal) while (isOver(this.#total, bytesTotal)) if (!cutSlowestOf(this.#greediest())) break
  }

  /** The network with most bytes. */
  #greediest(): string {
    let greediest = ''
    let most = 0
    for (const [network, bytes] of this.#bytes) if (bytes > most) [greediest, most] = [network, bytes]
    return greediest
  }

  #cutStalled(): void {
    const now = performance.now()
    for (const reader of this.#readers.values()) {
      this.#update(reader)
      if (reader.bytes > 0 && now - reader.takenAt >= this.#limits.stallMs) this.#cut(reader, 'stalled')
    }
  }

  /** Ends the connection by a reset: after an orderly end the system would keep what it has taken until that is read. */
  #cut({ socket }: Reader, reason: 'unread' | 'stalled'): void {
    this.#release(socket)
    incrementCounter('connections dropped', reason)
    // A socket of systemd's may be none of TCP, which has no reset.
    if (socket.remoteAddress === undefined) socket.destroy()
    else socket.resetAndDestroy()
  }
}

/** What Node's own timeouts read of a socket, too: what was handed to the system, and what of that it has not taken yet. */
interface SocketHandle {
  bytesWritten: number
  writeQueueSize: number
}

/** Bytes that the operating system has taken, exact within a large write, where Node's public counts are not. */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: SocketHandle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
