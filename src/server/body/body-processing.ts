import { AppError } from '#lib/errors.ts'
import { TOO_MANY_PHOTOS, TOO_MANY_PHOTOS_OF_NETWORK, RETRY_AFTER_SECONDS } from './body-budget.ts'

/** Bytes of bodies in processing: half of the budget, the other half is for those that arrive. */
const PROCESSING_MAX_BYTES = 64 * 1024 * 1024

/** The processing of a complete body. */
export interface BodyProcessing {
  /** Aborted when it is evicted; `rejection` then holds the error. */
  signal: AbortSignal
  readonly rejection: AppError | undefined
  /** From now on it is not evicted: decoded pictures are not discarded. */
  start: () => void
  release: () => void
}

interface ProcessingEntry {
  bytes: number
  /** The sender's network; an unknown one is a symbol of its own. */
  network: string | symbol
  hasStarted: boolean
  refused: AppError | undefined
  stop: AbortController
}
/** Everything in processing, oldest first. */
const processing = new Set<ProcessingEntry>()

const sumBytes = (entries: readonly ProcessingEntry[]): number =>
  entries.reduce((bytes, entry) => bytes + entry.bytes, 0)

/**
 * Counts a complete body among those in processing. Where they are too many bytes, the newest body of the network with the most
 * is evicted, unless it has started: a few networks would otherwise block the photos of all others while theirs take long.
 * @throws AppError 429 where `network` alone exceeds the budget, 503 where all together do
 */
export function startProcessing(bytes: number, network: string | undefined): BodyProcessing {
  const entry: ProcessingEntry = {
    bytes,
    network: network ?? Symbol('unknown'),
    hasStarted: false,
    refused: undefined,
    stop: new AbortController(),
  }
  for (const evicted of findEvictions(entry)) {
    evicted.refused = new AppError(503, TOO_MANY_PHOTOS, { retryAfter: RETRY_AFTER_SECONDS })
    processing.delete(evicted)
    evicted.stop.abort()
  }
  processing.add(entry)
  return {
    signal: entry.stop.signal,
    get rejection() {
      return entry.refused
    },
    start: () => void (entry.hasStarted = true),
    release: () => void processing.delete(entry),
  }
}

/** The entries to evict for `newcomer`, chosen before any is refused, so that none is evicted needlessly. @throws AppError 429, 503 for `newcomer` */
function findEvictions(newcomer: ProcessingEntry): ProcessingEntry[] {
  const remaining = [...processing, newcomer]
  const evicted: ProcessingEntry[] = []
  while (sumBytes(remaining) > PROCESSING_MAX_BYTES) {
    const shares = Map.groupBy(remaining, ({ network: owner }) => owner)
    const own = sumBytes(shares.get(newcomer.network) ?? [])
    if (own > PROCESSING_MAX_BYTES)
      throw new AppError(429, TOO_MANY_PHOTOS_OF_NETWORK, { retryAfter: RETRY_AFTER_SECONDS })
    // Only networks with more than the newcomer's own lose an entry. Entries that have started stay.
    const newest = [...shares.values()]
      .filter((entries) => sumBytes(entries) > own)
      .toSorted((a, b) => sumBytes(b) - sumBytes(a))
      .map((entries) => entries.findLast(({ hasStarted }) => !hasStarted))
      .find((entry) => entry !== undefined)
    if (!newest) throw new AppError(503, TOO_MANY_PHOTOS, { retryAfter: RETRY_AFTER_SECONDS })
    remaining.splice(remaining.indexOf(newest), 1)
    evicted.push(newest)
  }
  return evicted
}
