import { AppError } from '#lib/errors.ts'
import { TOO_MANY_PHOTOS, TOO_MANY_PHOTOS_OF_NETWORK, RETRY_AFTER_SECONDS } from './body-budget.ts'

/** Bytes of bodies that something long is done with: half of what is held, the other half is for those on their way. */
const PROCESSING_MAX_BYTES = 64 * 1024 * 1024

/** What is done with a body, as it counts. */
export interface BodyProcessing {
  /** Aborted where it gives way to others; `refused` says so. */
  signal: AbortSignal
  readonly rejection: AppError | undefined
  /** From now on it gives way to nobody: what is decoded once is not thrown away. */
  start: () => void
  release: () => void
}

interface ProcessingEntry {
  bytes: number
  /** Who sends it; where nobody knows, each is its own. */
  network: string | symbol
  hasStarted: boolean
  refused: AppError | undefined
  stop: AbortController
}
/** All that has not given way, the oldest first. */
const processing = new Set<ProcessingEntry>()

const sumBytes = (entries: readonly ProcessingEntry[]): number =>
  entries.reduce((bytes, entry) => bytes + entry.bytes, 0)

/**
 * Counts a whole body among those at work. Where they are too many, the newest of the network with most gives way, unless it has
 * begun: a few networks would otherwise keep everybody else's photos out for as long as theirs take.
 * @throws AppError 429 where `network` alone has too much at work, 503 where everybody has
 */
export function startProcessing(bytes: number, network: string | undefined): BodyProcessing {
  const entry: ProcessingEntry = {
    bytes,
    network: network ?? Symbol('unknown'),
    hasStarted: false,
    refused: undefined,
    stop: new AbortController(),
  }
  for (const each of findEvictions(entry)) {
    each.refused = new AppError(503, TOO_MANY_PHOTOS, { retryAfter: RETRY_AFTER_SECONDS })
    processing.delete(each)
    each.stop.abort()
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

/** Those that make room for `late`, found before any is refused, so that none is in vain. @throws AppError 429, 503 for `late` itself */
function findEvictions(late: ProcessingEntry): ProcessingEntry[] {
  const kept = [...processing, late]
  const leaving: ProcessingEntry[] = []
  while (sumBytes(kept) > PROCESSING_MAX_BYTES) {
    const shares = Map.groupBy(kept, ({ network: owner }) => owner)
    const own = sumBytes(shares.get(late.network)!)
    if (own > PROCESSING_MAX_BYTES)
      throw new AppError(429, TOO_MANY_PHOTOS_OF_NETWORK, { retryAfter: RETRY_AFTER_SECONDS })
    // Of two with as much, who comes late; those that have begun stay, and who has most after them gives way.
    const newest = [...shares.values()]
      .filter((entries) => sumBytes(entries) > own)
      .toSorted((a, b) => sumBytes(b) - sumBytes(a))
      .map((entries) => entries.findLast(({ hasStarted }) => !hasStarted))
      .find((entry) => entry !== undefined)
    if (!newest) throw new AppError(503, TOO_MANY_PHOTOS, { retryAfter: RETRY_AFTER_SECONDS })
    kept.splice(kept.indexOf(newest), 1)
    leaving.push(newest)
  }
  return leaving
}
