import { type IncomingMessage, ServerResponse } from 'node:http'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'
import { FairPool, type Hold } from '#server/fair-pool.ts'
import { clientNetwork } from './client-network.ts'

export interface UnreadLimits {
  /** Bytes of answers that may wait in memory for the readers of one site (IPv4 address or IPv6 /48), and twice as many for all; 0: no limit. */
  unreadBytesPerSite: number
  trustProxy: boolean
}

/** Sites that may have all of their share at once. */
const UNREAD_SITES = 2
/** A reader who takes nothing of an answer for this long is gone, or holds the connection open on purpose. */
const STALL_MS = 60_000

/**
 * The server's response class, which bounds the memory of answers that wait to be read: of each site, and in total. What a reader takes
 * makes it the newest, so beyond a bound the one who has taken nothing for longest is disconnected, and so is who takes nothing for STALL_MS.
 * Every answer is measured where it is written: no route and no stream can be forgotten.
 */
export function withUnreadLimit(
  { unreadBytesPerSite, trustProxy }: UnreadLimits,
  stallMs = STALL_MS,
): typeof ServerResponse {
  const pool = new FairPool({
    max: unreadBytesPerSite * UNREAD_SITES || Infinity,
    maxPerOwner: unreadBytesPerSite || Infinity,
    ownerGives: 'oldest',
  })
  return class MeasuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    #unread: Hold | undefined
    #isWatched = false

    override write(...args: unknown[]): boolean {
      const takesMore = super.write(...(args as [string]))
      if (!takesMore) this.#holdUnread()
      return takesMore
    }

    override end(...args: unknown[]): this {
      super.end(...(args as [string]))
      // For a reader that keeps up, the operating system accepts the whole answer immediately.
      if (this.writableLength > 0) this.#holdUnread()
      return this
    }

    #holdUnread(): void {
      if (this.req.socket.destroyed) return
      this.#unread ??= this.#openHold()
      this.#unread.resize(this.writableLength)
    }

    #openHold(): Hold {
      if (!this.#isWatched) {
        this.#isWatched = true
        for (const event of ['drain', 'finish', 'close']) this.on(event, () => this.#release())
        // After its end Node sets the time that the connection waits for its next request.
        this.on('drain', () => this.setTimeout(0))
        this.once('timeout', () => cut(this.req, 'stalled'))
      }
      // Node's timer counts what the operating system takes, too.
      this.setTimeout(stallMs)
      return pool.hold(toSitePrefix(clientNetwork(this.req, trustProxy)), () => cut(this.req, 'unread'))
    }

    #release(): void {
      this.#unread?.release()
      this.#unread = undefined
    }
  } as typeof ServerResponse
}

/** Resets the connection: after an orderly end the system would keep the accepted bytes until they are read. */
function cut({ socket }: IncomingMessage, reason: 'unread' | 'stalled'): void {
  incrementCounter('connections dropped', reason)
  // A socket that systemd passes may not be TCP; only TCP has a reset.
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
