import type { Db } from '#db/client.ts'
import { deleteReadChanges, findLogEnd, listenForChanges, readChanges } from '#db/dialect/postgres/change-log.ts'
import { isOwnLogged, noteLogged } from '#db/positions.ts'
import { noteUnknownChanges, noteWrites } from '#db/table-changes.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'

/** What the nodes that share a PostgreSQL write. */
export interface ChangeFeed {
  /** Reads what has been committed since the last time: one read at a time, which all share that ask before it begins. */
  read: () => Promise<void>
  close: () => Promise<void>
}

export interface ChangeFeedOptions {
  /** For the connection that listens. */
  url: string
  /** Called after each read: there may be more than the log tells, such as events. */
  onRead?: () => void
  pollIntervalMs?: number
}

/** So soon a change is noticed that no notification tells of. */
const POLL_INTERVAL_MS = SECOND_MS
/** Where the log has not been read for this long, nothing is known of what others write. */
const SILENCE_MAX_MS = 5 * SECOND_MS
/** Changes stay far longer than a node needs; one that was stopped for half of it begins anew. */
const RETENTION_MS = 10 * MINUTE_MS

/** Follows the changes of all nodes that share a PostgreSQL. @throws where it does not answer */
export async function openChangeFeed(
  db: Db,
  { url, onRead, pollIntervalMs = POLL_INTERVAL_MS }: ChangeFeedOptions,
): Promise<ChangeFeed> {
  /** The last change that is known; undefined where some may have been missed. */
  let last: number | undefined = await findLogEnd(db)
  noteLogged(last)
  let readAt = Date.now()
  let isClosed = false

  /** PostgreSQL was unavailable, or this process stopped: nothing is known of what was written meanwhile. */
  function beginAnew(): void {
    last = undefined
    noteUnknownChanges()
  }

  async function readOnce(): Promise<void> {
    const startedAt = Date.now()
    if (startedAt - readAt > RETENTION_MS / 2) beginAnew()
    if (last === undefined) {
      const end = await findLogEnd(db)
      beginAnew()
      last = end
      noteLogged(end)
    } else {
      const after = last
      const changes = await readChanges(db, after)
      // The connection was lost meanwhile: what was read may not be all.
      if (last !== after) return readOnce()
      for (const { id, writes } of changes) {
        if (!isOwnLogged(id)) noteWrites(writes)
        noteLogged(id)
        last = id
      }
    }
    readAt = startedAt
    onRead?.()
  }

  // One at a time; all that ask meanwhile share the next one.
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

  let isUnavailable = false
  const readInBackground = () =>
    void read().then(
      () => (isUnavailable = false),
      (error: unknown) => {
        if (isClosed) return
        if (!isUnavailable)
          console.error('perrario · no se leen los cambios de otros nodos: ninguna página guardada vale', error)
        isUnavailable = true
        beginAnew()
      },
    )

  // PostgreSQL may have crashed and be back before the next read; the log is then empty.
  const listener = createListener(url, readInBackground, beginAnew)
  await listener.connect()
  const timers = [
    setInterval(() => {
      void listener.connect()
      readInBackground()
      // A read that neither ends nor fails tells nothing.
      if (Date.now() - readAt > SILENCE_MAX_MS + pollIntervalMs) noteUnknownChanges()
    }, pollIntervalMs),
    setInterval(
      () =>
        deleteReadChanges(db, RETENTION_MS).catch((error: unknown) =>
          console.error('perrario · los cambios ya leídos no se pudieron borrar:', error),
        ),
      MINUTE_MS,
    ),
  ]
  for (const timer of timers) timer.unref()

  return {
    read,
    async close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all([current, following]).catch(() => {})
      await listener.close()
    },
  }
}

interface Listener {
  /** Connects unless a connection listens or is being opened. It does not throw: the next call tries again. */
  connect: () => Promise<unknown>
  close: () => Promise<void>
}

/** @param onLost called when a connection that has listened ends by itself */
function createListener(url: string, onWake: () => void, onLost: () => void): Listener {
  /** Ends the connection, or the one that is being opened: where the network drops packets, that takes longer than a poll. */
  let end: Promise<() => Promise<void>> | undefined
  const forget = () => void (end = undefined)
  const lose = () => {
    forget()
    onLost()
  }
  return {
    // The poll reads without it.
    connect: () => (end ??= listenForChanges(url, onWake, lose)).catch(forget),
    // One that is being opened ends once it is.
    close: async () => void end?.then((stop) => stop(), forget),
  }
}
