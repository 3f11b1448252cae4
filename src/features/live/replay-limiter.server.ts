import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { HEARTBEAT_INTERVAL_MS } from './live.ts'

/** Bytes of past events that are read, and written to one reader, at a time. */
export const REPLAY_BATCH_BYTES = 64 * 1024

export interface ReplayLimits {
  /**
   * Bytes of past events told in a minute to one network, and to everybody. A whole history weighs megabytes, and a request
   * for it a hundred bytes.
   */
  bytesPerNetwork: number
  bytesTotal: number
  /** Readers at once who have not taken their last batch. */
  maxStuckReaders: number
}

const MB = 1024 * 1024
export const REPLAY_LIMITS: ReplayLimits = { bytesPerNetwork: 32 * MB, bytesTotal: 256 * MB, maxStuckReaders: 128 }

const MINUTE_MS = 60_000

/** Bounds what readers who come back are told of the past: bytes a minute, and what waits in memory for those who do not read. */
export class ReplayLimiter {
  readonly #limits: ReplayLimits
  /** Bytes told since `#since`, by network. */
  readonly #told = new Map<string, number>()
  #toldToAll = 0
  #since = performance.now()
  /** Readers who have not taken their last batch, by network, the oldest first. */
  readonly #stuck = new Map<string, Set<ServerResponse>>()
  #stuckCount = 0

  constructor(limits: ReplayLimits) {
    this.#limits = limits
  }

  /** Counts `bytes` for the network. @returns false, and counts nothing, where they are more than it may still be told */
  charge(network: string, bytes: number): boolean {
    if (performance.now() - this.#since >= MINUTE_MS) {
      this.#told.clear()
      this.#toldToAll = 0
      this.#since = performance.now()
    }
    const told = (this.#told.get(network) ?? 0) + bytes
    if (told > this.#limits.bytesPerNetwork || this.#toldToAll + bytes > this.#limits.bytesTotal) return false
    this.#told.set(network, told)
    this.#toldToAll += bytes
    return true
  }

  /** Writes a batch. Resolves once the system has taken it, or the reader is gone: until then no other batch is read. */
  async write(res: ServerResponse, network: string, text: string): Promise<void> {
    let isTaken = false
    let done = () => {}
    const end = () => {
      isTaken = true
      done()
    }
    res.once('close', end)
    res.write(text, end)
    // Whoever reads has it by now.
    await setImmediate()
    if (!isTaken && !res.destroyed) {
      this.#add(res, network)
      const timer = setTimeout(() => res.destroy(), HEARTBEAT_INTERVAL_MS)
      await new Promise<void>((resolve) => (done = resolve))
      clearTimeout(timer)
      this.#remove(res, network)
    }
    res.off('close', end)
  }

  #add(res: ServerResponse, network: string): void {
    const own = this.#stuck.get(network)
    if (own) own.add(res)
    else this.#stuck.set(network, new Set([res]))
    if (++this.#stuckCount <= this.#limits.maxStuckReaders) return
    const [[greediest, theirs]] = [...this.#stuck].toSorted(([, a], [, b]) => b.size - a.size) as [
      [string, Set<ServerResponse>],
    ]
    const [oldest] = theirs
    this.#remove(oldest!, greediest)
    oldest!.destroy()
  }

  #remove(res: ServerResponse, network: string): void {
    const own = this.#stuck.get(network)
    if (!own?.delete(res)) return
    this.#stuckCount--
    if (own.size === 0) this.#stuck.delete(network)
  }
}
