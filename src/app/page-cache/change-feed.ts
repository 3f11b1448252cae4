import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import {
  deleteReadChanges,
  findLogEnd,
  installChangeLog,
  listenForChanges,
  readChanges,
  wakeNodes,
} from '#db/dialect/postgres/change-log.ts'
import { includesSnapshot, parsePosition, type Snapshot, toPosition } from '#db/dialect/postgres/snapshots.ts'
import { listTableLayouts } from '#db/dialect/table-layouts.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { type HoloThreshold, listTriggers, sqlCalls } from './invalidation.ts'

export interface ChangeFeed {
  /** Reads what has been committed since the last time, now. */
  read: () => Promise<void>
  /** The position of the latest read that found changes. */
  position: () => string
  /** Reads a write of this node that has been committed. @returns the position that a node must have read to show it */
  readWrite: () => Promise<string>
  /**
   * Reads the log for a client that sent a position.
   * @param position a text of `isPosition`, which any client can make up: it is compared with what this node has read, and not stored
   * @returns undefined where this node has read all that the position sees, which is most often so
   */
  catchUp: (position: string) => Promise<void> | undefined
  /** Has the other nodes read, after a write of this one that `readWrite` has read. Writes at the same moment wake them once. */
  announce: () => void
  close: () => Promise<void>
}

export interface ChangeFeedOptions {
  /** For the connection that listens. */
  url: string
  holo: HoloThreshold
  /** Called with the cache tags of every changed row, whichever node changed it. */
  invalidate: (tag: string) => void
  /** Called where changes may have been missed: PostgreSQL was unavailable. */
  clear: () => void
  /** Called after each read: there may be more than the log tells, such as events. */
  onRead?: () => void
  pollIntervalMs?: number
}

/** So soon another node notices a change, also one that nobody announced. */
const POLL_INTERVAL_MS = 1000
/** Announcements within this time are one. */
const ANNOUNCE_DELAY_MS = 20
/** Positions that clients send cause one read in this time. */
const CATCH_UP_INTERVAL_MS = 5
/** Entries stay far longer than a node needs; one that was stopped for this long clears its cache. */
const RETENTION_MS = 10 * MINUTE_MS

/** Calls of `read` begin at least `intervalMs` apart. All that ask before one begins share it. */
function throttleReads(read: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let next: Promise<void> | undefined
  let startedAt = -Infinity
  const start = () => {
    startedAt = performance.now()
    next = undefined
    return read()
  }
  return () => {
    const delayMs = startedAt + intervalMs - performance.now()
    if (!next && delayMs <= 0) return start()
    return (next ??= wait(Math.ceil(delayMs)).then(start))
  }
}

interface Listener {
  /** Connects unless a connection listens or is being opened. It does not throw: the next call tries again. */
  connect: () => Promise<void>
  close: () => Promise<void>
}

/** @param onLost called when a connection that has listened ends by itself */
function createListener(url: string, onWake: (sender: string) => void, onLost: () => void): Listener {
  const state = { isConnecting: false, isClosed: false }
  let stop: (() => Promise<void>) | undefined
  async function connect(): Promise<void> {
    // One attempt at a time: where the network drops packets, it takes longer than a poll.
    if (state.isConnecting || state.isClosed || stop) return
    state.isConnecting = true
    const connection = { isLost: false }
    try {
      const end = await listenForChanges(url, onWake, () => {
        connection.isLost = true
        stop = undefined
        onLost()
      })
      if (state.isClosed) await end()
      else if (!connection.isLost) stop = end
    } catch {
      // The poll reads without it.
    } finally {
      state.isConnecting = false
    }
  }
  return {
    connect,
    async close() {
      state.isClosed = true
      await stop?.()
    },
  }
}

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
  /** What the latest read saw. */
  let seen: Snapshot = await findLogEnd(db)
  /** What the latest read saw that found changes: it includes all that was written before. */
  let changed = seen
  let readAt = Date.now()
  let isClosed = false

  async function readOnce(): Promise<void> {
    const startedAt = Date.now()
    const { snapshot, tags } = await readChanges(db, seen)
    // Transactions are numbered lower where another server has taken over from an older state.
    const hasMissed = startedAt - readAt > RETENTION_MS / 2 || snapshot.xmax < seen.xmax
    seen = snapshot
    if (tags.length > 0 || hasMissed) changed = snapshot
    readAt = startedAt
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

  const readForClients = throttleReads(read, CATCH_UP_INTERVAL_MS)

  // While PostgreSQL is unavailable nothing is known of the others' writes: no page may be answered that they may have changed.
  let isUnavailable = false
  const readInBackground = () =>
    void read().then(
      () => (isUnavailable = false),
      (error: unknown) => {
        if (isClosed) return
        if (!isUnavailable) console.error('perrario · no se leen los cambios de otros nodos: la caché se vacía', error)
        isUnavailable = true
        clear()
      },
    )

  const node = randomUUID()
  const onWake = (sender: string) => {
    // Its own writes a node has read before it announces them (`readWrite`).
    if (sender !== node) readInBackground()
  }
  // PostgreSQL may have crashed and be back before the next read; the log is then empty.
  const listener = createListener(url, onWake, clear)
  await listener.connect()

  const pollTimer = setInterval(() => {
    void listener.connect()
    readInBackground()
  }, pollIntervalMs)
  const deleteTimer = setInterval(
    () =>
      deleteReadChanges(db, RETENTION_MS).catch((error: unknown) =>
        console.error('perrario · los cambios ya leídos no se pudieron borrar:', error),
      ),
    MINUTE_MS,
  )
  for (const timer of [pollTimer, deleteTimer]) timer.unref()

  let announceTimer: NodeJS.Timeout | undefined
  return {
    read,
    position: () => toPosition(changed),
    async readWrite() {
      await read()
      return toPosition(changed)
    },
    catchUp: (position) => (includesSnapshot(seen, parsePosition(position)) ? undefined : readForClients()),
    announce() {
      announceTimer ??= setTimeout(() => {
        announceTimer = undefined
        // Without it the others read within the poll's interval.
        wakeNodes(db, node).catch(() => {})
      }, ANNOUNCE_DELAY_MS)
    },
    async close() {
      isClosed = true
      for (const timer of [pollTimer, deleteTimer, announceTimer]) clearTimeout(timer)
      await Promise.all([current, following]).catch(() => {})
      await listener.close()
    },
  }
}
