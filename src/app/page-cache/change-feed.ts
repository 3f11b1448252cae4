import type { Db } from '#db/client.ts'
import {
  deleteReadChanges,
  findLogEnd,
  installChangeLog,
  listenForChanges,
  type LogPosition,
  readChanges,
  wakeNodes,
} from '#db/dialect/postgres/change-log.ts'
import { listTableLayouts } from '#db/dialect/table-layouts.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { type HoloThreshold, listTriggers, sqlCalls } from './invalidation.ts'

export interface ChangeFeed {
  /** Reads what has been committed since the last time, now. */
  read: () => Promise<void>
  /** How far this node has read. */
  position: () => string
  /** Reads a write of this node that has been committed. @returns the position that a node must have read to show it */
  readWrite: () => Promise<string>
  /** Reads up to a position that any node has given. @returns undefined where this one has read that far, which most requests ask */
  catchUp: (position: string) => Promise<void> | undefined
  /** Has all nodes read, after a write of this one. Writes at the same moment wake them once. */
  announce: () => void
  close: () => Promise<void>
}

export interface ChangeFeedOptions {
  /** For the connection that listens. */
  url: string
  holo: HoloThreshold
  /** Called with the cache tags of every changed row, whichever node changed it. */
  invalidate: (tag: string) => void
  /** Called where changes may have been missed: PostgreSQL was away. */
  clear: () => void
  /** Called after each read: there may be more than the log tells, such as events. */
  onRead?: () => void
  pollIntervalMs?: number
}

/** So soon another node notices a change, also one that nobody announced. */
const POLL_INTERVAL_MS = 1000
/** Announcements within this time are one. */
const ANNOUNCE_DELAY_MS = 20
/** Entries stay far longer than a node needs; one that was stopped for this long clears its cache. */
const RETENTION_MS = 10 * MINUTE_MS

/** Follows the changes of all nodes that share a PostgreSQL. @throws where it does not answer */
export async function openChangeFeed(
  db: Db,
  { url, holo, invalidate, clear, onRead, pollIntervalMs = POLL_INTERVAL_MS }: ChangeFeedOptions,
): Promise<ChangeFeed> {
  const dogs = (await listTableLayouts(db)).find(({ name }) => name === 'dogs')
  const triggers = listTriggers(dogs?.columns ?? [], holo)
  await installChangeLog(
    db,
    triggers.map(([event, condition, invalidations]) => ({ event, condition, calls: invalidations.map(sqlCalls) })),
  )
  let position: LogPosition = await findLogEnd(db)
  /** A position behind which this node was, until it read: the reads after it was given include it. */
  let reached = ''
  let readAt = Date.now()
  let isClosed = false

  async function readOnce(): Promise<void> {
    const hasMissed = Date.now() - readAt > RETENTION_MS / 2
    const { tags, ...next } = await readChanges(db, position)
    position = next
    readAt = Date.now()
    if (hasMissed) clear()
    else for (const tag of tags) invalidate(tag)
    onRead?.()
  }

  // One at a time: two at once would set the position in either order. A read that is asked for meanwhile follows.
  let current: Promise<void> | undefined
  let following: Promise<void> | undefined
  function read(): Promise<void> {
    if (!current) return (current = readOnce().finally(() => (current = undefined)))
    return (following ??= current
      .catch(() => {})
      .then(() => {
        following = undefined
        return read()
      }))
  }

  // While PostgreSQL is away nothing is known of the others' writes: no page may be answered that they may have changed.
  let isAway = false
  const readInBackground = () =>
    void read().then(
      () => (isAway = false),
      (error: unknown) => {
        if (isClosed) return
        if (!isAway) console.error('Could not read the changes of other nodes; the page cache is cleared', error)
        isAway = true
        clear()
      },
    )

  let stopListening: (() => Promise<void>) | undefined
  /** PostgreSQL may have crashed and be back before the next read; the log is then empty. */
  function loseConnection(): void {
    stopListening = undefined
    clear()
  }
  const listen = () =>
    listenForChanges(url, readInBackground, loseConnection).then(
      async (stop) => {
        stopListening = stop
        if (isClosed) await stop()
      },
      // The poll goes on, and the next one tries again.
      () => {},
    )
  await listen()

  const pollTimer = setInterval(() => {
    if (!stopListening) void listen()
    readInBackground()
  }, pollIntervalMs)
  const deleteTimer = setInterval(
    () =>
      deleteReadChanges(db, RETENTION_MS).catch((error: unknown) =>
        console.error('Could not trim the change log', error),
      ),
    MINUTE_MS,
  )
  for (const timer of [pollTimer, deleteTimer]) timer.unref()

  let announceTimer: NodeJS.Timeout | undefined
  return {
    read,
    position: () => position.lastXid,
    async readWrite() {
      await read()
      return position.lastXid
    },
    catchUp(wanted) {
      if (wanted === reached || BigInt(wanted) < BigInt(position.xmin)) return undefined
      return read().then(() => void (reached = wanted))
    },
    announce() {
      announceTimer ??= setTimeout(() => {
        announceTimer = undefined
        // Without it the others read within the poll's interval.
        wakeNodes(db).catch(() => {})
      }, ANNOUNCE_DELAY_MS)
    },
    async close() {
      isClosed = true
      for (const timer of [pollTimer, deleteTimer, announceTimer]) clearTimeout(timer)
      await Promise.all([current, following]).catch(() => {})
      await stopListening?.()
    },
  }
}
