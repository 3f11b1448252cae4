import { AppError } from '#lib/errors.ts'
import { PHOTOS_OF_ALL, PHOTOS_OF_ONE, RETRY_SECONDS } from './body-pots.ts'

/** Bytes of bodies that something long is done with: half of what is held, the other half is for those on their way. */
const AT_WORK_MOST = 64 * 1024 * 1024

/** What is done with a body, as it counts. */
export interface Work {
  /** Aborted where it gives way to others; `refused` says so. */
  signal: AbortSignal
  readonly refused: AppError | undefined
  /** From now on it gives way to nobody: what is decoded once is not thrown away. */
  begin: () => void
  leave: () => void
}

interface Entry {
  bytes: number
  /** Who sends it; where nobody knows, each is its own. */
  owner: string | symbol
  hasBegun: boolean
  refused: AppError | undefined
  stop: AbortController
}
/** All that has not given way, the oldest first. */
const working = new Set<Entry>()

const sum = (entries: readonly Entry[]): number => entries.reduce((bytes, entry) => bytes + entry.bytes, 0)

/**
 * Counts a whole body among those at work. Where they are too many, the newest of the network with most gives way, unless it has
 * begun: a few networks would otherwise keep everybody else's photos out for as long as theirs take.
 * @throws AppError 429 where `network` alone has too much at work, 503 where everybody has
 */
export function enterWork(bytes: number, network: string | undefined): Work {
  const entry: Entry = {
    bytes,
    owner: network ?? Symbol('unknown'),
    hasBegun: false,
    refused: undefined,
    stop: new AbortController(),
  }
  for (const each of whoGivesWay(entry)) {
    each.refused = new AppError(503, PHOTOS_OF_ALL, { retryAfter: RETRY_SECONDS })
    working.delete(each)
    each.stop.abort()
  }
  working.add(entry)
  return {
    signal: entry.stop.signal,
    get refused() {
      return entry.refused
    },
    begin: () => void (entry.hasBegun = true),
    leave: () => void working.delete(entry),
  }
}

/** Those that make room for `late`, found before any is refused, so that none is in vain. @throws AppError 429, 503 for `late` itself */
function whoGivesWay(late: Entry): Entry[] {
  const kept = [...working, late]
  const leaving: Entry[] = []
  while (sum(kept) > AT_WORK_MOST) {
    const shares = Map.groupBy(kept, ({ owner }) => owner)
    const own = sum(shares.get(late.owner)!)
    if (own > AT_WORK_MOST) throw new AppError(429, PHOTOS_OF_ONE, { retryAfter: RETRY_SECONDS })
    // Of two with as much, who comes late; those that have begun stay, and who has most after them gives way.
    const newest = [...shares.values()]
      .filter((entries) => sum(entries) > own)
      .toSorted((a, b) => sum(b) - sum(a))
      .map((entries) => entries.findLast(({ hasBegun }) => !hasBegun))
      .find((entry) => entry !== undefined)
    if (!newest) throw new AppError(503, PHOTOS_OF_ALL, { retryAfter: RETRY_SECONDS })
    kept.splice(kept.indexOf(newest), 1)
    leaving.push(newest)
  }
  return leaving
}
