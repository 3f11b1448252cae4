import { errorCode } from '#lib/error-code.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { storageErrorText } from '#lib/storage-error-text.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'

/** Between two readings of the free space, and between two probes of a disk that fails. */
const CHECK_INTERVAL_MS = 10 * SECOND_MS
/** Space is sufficient again from this multiple of the minimum on: a disk at the minimum would log at every check. */
const ENOUGH_FACTOR = 1.1
/** Sentences that are remembered; beyond it none is logged while the disk fails. */
const MAX_SENTENCES = 100
/** Ids in a sentence, which make it another one each time. */
const IDS = /[0-9a-f-]{16,}/gi

interface WatchedDisk {
  /** When each sentence was logged, ms of the monotonic clock. */
  loggedAt: Map<string, number>
  /** A failure was logged, or would have been, since the last check. */
  isReported: boolean
  /** The last probe failed. */
  isFailing: boolean
  /** There is less free space than the minimum. */
  isLow: boolean
}

let disk: WatchedDisk | undefined

/** Whether the error is of a disk that is full or refuses writes. */
export const isDiskFailure = (error: unknown): boolean => {
  const failure = findStorageFailure(error)
  return failure === 'full' || failure === 'refused'
}

/**
 * Whether a sentence about a disk failure is logged: the same one once a minute, and once in an outage. Jobs that run every few seconds
 * would repeat it thousands of times, into a log that may be on the same disk. Always true where no disk is watched.
 */
export function admitDiskFailure(sentence: string, error: unknown, now = performance.now()): boolean {
  if (!disk) return true
  disk.isReported = true
  const key = `${sentence.replace(IDS, '…')} ${errorCode(error)}`
  const last = disk.loggedAt.get(key)
  if (last !== undefined && (disk.isFailing || now - last < MINUTE_MS)) return false
  if (last === undefined && disk.loggedAt.size >= MAX_SENTENCES) {
    if (disk.isFailing) return false
    disk.loggedAt.clear()
  }
  disk.loggedAt.set(key, now)
  return true
}

/** Whether the disk stores what the site writes, as far as is known: it did at the last probe, and is not below its minimum. */
export const isDiskOk = (): boolean => !disk || !(disk.isFailing || disk.isLow)

export interface DiskWatchOptions {
  /** Free bytes; null where they cannot be read. */
  readFreeBytes: () => Promise<number | null>
  /** Below it writes are refused; 0: not checked. */
  minFreeBytes: number
  /** What is refused then, a Spanish clause. */
  refusedText: string
  /** Writes where the site writes. @throws what the disk answers */
  probe: () => Promise<void>
}

const formatMb = (bytes: number | null): string =>
  bytes === null ? 'no se sabe cuánto' : `${Math.floor(bytes / 1_000_000).toLocaleString('es-ES')} MB`

/**
 * From now on the log says once that the disk fails or has too little space, and once that it does not any more; in between each other
 * sentence about it once. A probe tells whether it fails: it runs where a failure was reported, and until it succeeds.
 */
export function watchDisk(
  { readFreeBytes, minFreeBytes, refusedText, probe }: DiskWatchOptions,
  { intervalMs = CHECK_INTERVAL_MS } = {},
): Job {
  const watched: WatchedDisk = { loggedAt: new Map(), isReported: false, isFailing: false, isLow: false }
  disk = watched

  function checkSpace(free: number | null): void {
    if (minFreeBytes === 0 || free === null) return
    if (!watched.isLow && free < minFreeBytes) {
      watched.isLow = true
      console.error(
        `perrario · quedan ${formatMb(free)} de disco, menos que MIN_FREE_MB (${formatMb(minFreeBytes)}): ${refusedText} hasta que haya sitio`,
      )
    } else if (watched.isLow && free >= minFreeBytes * ENOUGH_FACTOR) {
      watched.isLow = false
      console.log(`perrario · vuelve a haber sitio en el disco: quedan ${formatMb(free)}`)
    }
  }

  async function checkWrites(free: number | null): Promise<void> {
    if (!watched.isReported && !watched.isFailing) return
    watched.isReported = false
    const failure = await probe().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    if (failure && !watched.isFailing) {
      watched.isFailing = true
      const reason = storageErrorText(failure.error)
      console.error(
        `perrario · el disco no guarda nada: ${reason}, quedan ${formatMb(free)}. Se enseña lo que hay, y en cuanto se pueda se vuelve a guardar`,
      )
    } else if (!failure && watched.isFailing) {
      watched.isFailing = false
      watched.loggedAt.clear()
      console.log(`perrario · el disco vuelve a guardar: quedan ${formatMb(free)}`)
    }
  }

  const job = runEvery({ intervalMs, delayMs: 0 }, 'perrario · el disco no se pudo comprobar:', async () => {
    const free = await readFreeBytes()
    checkSpace(free)
    await checkWrites(free)
  })
  return {
    async close() {
      await job.close()
      if (disk === watched) disk = undefined
    },
  }
}
