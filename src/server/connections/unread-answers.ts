import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'
import { clientNetwork } from './client-network.ts'

export interface UnreadLimits {
  /** Unread bytes in memory of one site (IPv4 address or IPv6 /48); 0: no limit, in total neither. */
  bytesPerSite: number
  /** Unread bytes of all sites. */
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
  site: string
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
 * Bounds the memory of unread answers, of each site and in total. Above a limit the longest stalled reader of the largest site is
 * disconnected, and so is each reader without progress for `stallMs`.
 *
 * Every answer is measured where it is written, so that no route and no stream can be forgotten: give `Response` to the server.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Readers with unread bytes, oldest first. */
  readonly #readers = new Map<Socket, Reader>()
  /** Bytes by site. */
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

  /** Unread bytes, of one site or in total. */
  bytes(site?: string): number {
    for (const reader of this.#readers.values()) this.#update(reader)
    return site === undefined ? this.#total : (this.#bytes.get(site) ?? 0)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #measure(res: ServerResponse): void {
    const { req } = res
    const { socket } = req
    if (socket.destroyed) return
    const site = toSitePrefix(clientNetwork(req, this.#limits.trustProxy))
    let reader = this.#readers.get(socket)
    // A proxy's connection serves one client after another.
    if (reader && reader.site !== site) this.#release(socket)
    if (reader?.site === site) this.#updateProgress(reader)
    else {
      reader = { socket, site, bytes: 0, taken: takenBytes(socket), takenAt: performance.now() }
      this.#readers.set(socket, reader)
      if (!this.#closeListened.has(socket)) {
        this.#closeListened.add(socket)
        socket.once('close', () => this.#release(socket))
      }
    }
    this.#count(reader, res.writableLength)
    const { bytesPerSite, bytesTotal } = this.#limits
    if (bytesPerSite === 0) return
    if ((this.#bytes.get(reader.site) ?? 0) > bytesPerSite || this.#total > bytesTotal) this.#evictSlowest(reader.site)
  }

  #count(reader: Reader, bytes: number): void {
    const change = bytes - reader.bytes
    reader.bytes = bytes
    this.#total += change
    const ofSite = (this.#bytes.get(reader.site) ?? 0) + change
    if (ofSite > 0) this.#bytes.set(reader.site, ofSite)
    else this.#bytes.delete(reader.site)
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

  /** Disconnects readers until `site` and the total are below their limits. */
  #evictSlowest(site: string): void {
    const { bytesPerSite, bytesTotal } = this.#limits
    for (const reader of this.#readers.values()) this.#update(reader)
    // The sort is stable: readers with equal times stay oldest first.
    const slowest = [...this.#readers.values()].toSorted((a, b) => a.takenAt - b.takenAt)
    const cutSlowestOf = (of: string): boolean => {
      const index = slowest.findIndex((reader) => reader.site === of)
      const [reader] = index < 0 ? [] : slowest.splice(index, 1)
      if (!reader) return false
      this.#cut(reader, 'unread')
      return true
    }
    const isOver = (bytes: number, bound: number) => bytes > bound * (1 - FREED_SHARE)
    if ((this.#bytes.get(site) ?? 0) > bytesPerSite)
      while (isOver(this.#bytes.get(site) ?? 0, bytesPerSite)) if (!cutSlowestOf(site)) break
    if (this.#total > bytesTotal) while (isOver(this.#total, bytesTotal)) if (!cutSlowestOf(this.#largestSite())) break
  }

  /** The site with most bytes. */
  #largestSite(): string {
    let largest = ''
    let most = 0
    for (const [site, bytes] of this.#bytes) if (bytes > most) [largest, most] = [site, bytes]
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
