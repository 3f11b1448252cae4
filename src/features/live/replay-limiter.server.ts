import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { HEARTBEAT_INTERVAL_MS } from './live.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** Bytes of past events that are read, and written to one reader, in one batch. */
export const REPLAY_BATCH_BYTES = 64 * 1024

export interface ReplayLimits {
  /**
   * Bytes of past events sent per minute to one site, and to all. A whole history has megabytes, and a request for it a
   * hundred bytes.
   */
  bytesPerSite: number
  bytesTotal: number
  /** Readers at once who have not received their last batch. */
  maxStuckReaders: number
}

const MB = 1024 * 1024
export const REPLAY_LIMITS: ReplayLimits = { bytesPerSite: 32 * MB, bytesTotal: 256 * MB, maxStuckReaders: 128 }

/** Bounds the replay of past events to readers that reconnect: bytes per minute, and batches in memory for slow readers. */
export class ReplayLimiter {
  readonly #limits: ReplayLimits
  /** Bytes sent since `#windowStart`, by site. */
  readonly #sentBytes = new Map<string, number>()
  #totalSentBytes = 0
  #windowStart = performance.now()
  /** Readers who have not received their last batch, by site, the oldest first. */
  readonly #stuck = new Map<string, Set<ServerResponse>>()
  #stuckCount = 0

  constructor(limits: ReplayLimits) {
    this.#limits = limits
  }

  /** Charges `bytes` to the site's budget. @returns false, and charges nothing, where the budget does not suffice */
  charge(site: string, bytes: number): boolean {
    if (performance.now() - this.#windowStart >= MINUTE_MS) {
      this.#sentBytes.clear()
      this.#totalSentBytes = 0
      this.#windowStart = performance.now()
    }
    const sentBytes = (this.#sentBytes.get(site) ?? 0) + bytes
    if (sentBytes > this.#limits.bytesPerSite || this.#totalSentBytes + bytes > this.#limits.bytesTotal) return false
    this.#sentBytes.set(site, sentBytes)
    this.#totalSentBytes += bytes
    return true
  }

  /**
   * Writes a batch. Resolves once the operating system has accepted it, or the connection has closed; the caller reads no
   * further batch before that. A reader that stays stuck for a heartbeat's interval is cut.
   */
  async write(res: ServerResponse, site: string, text: string): Promise<void> {
    let isFlushed = false
    let onFlushed = () => {}
    const finish = () => {
      isFlushed = true
      onFlushed()
    }
    res.once('close', finish)
    res.write(text, finish)
    // A reader that keeps up has the batch by now.
    await setImmediate()
    if (!isFlushed && !res.destroyed) {
      this.#add(res, site)
      const timer = setTimeout(() => res.destroy(), HEARTBEAT_INTERVAL_MS)
      await new Promise<void>((resolve) => (onFlushed = resolve))
      clearTimeout(timer)
      this.#remove(res, site)
    }
    res.off('close', finish)
  }

  /** Counts a stuck reader. Beyond the limit, the oldest one of the site with most of them is cut. */
  #add(res: ServerResponse, site: string): void {
    const own = this.#stuck.get(site)
    if (own) own.add(res)
    else this.#stuck.set(site, new Set([res]))
    if (++this.#stuckCount <= this.#limits.maxStuckReaders) return
    const [most] = [...this.#stuck].toSorted(([, a], [, b]) => b.size - a.size)
    if (!most) return
    const [greediest, theirs] = most
    const [oldest] = theirs
    if (!oldest) return
    this.#remove(oldest, greediest)
    oldest.destroy()
  }

  #remove(res: ServerResponse, site: string): void {
    const own = this.#stuck.get(site)
    if (!own?.delete(res)) return
    this.#stuckCount--
    if (own.size === 0) this.#stuck.delete(site)
  }
}
