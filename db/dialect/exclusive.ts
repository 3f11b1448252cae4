import type { Db } from '../client.ts'
import { isSharedByNodes } from './dialect.ts'
import { type NodeLock, tryNodeLock } from './postgres/node-locks.ts'

/** What runs until it is closed: `close` resolves when it has ended. */
interface Running {
  close: () => Promise<void>
}

/** Between two tries to take over, ms. */
const RETRY_MS = 2000

interface ExclusiveOptions {
  /** Called when the lock is lost: the work is being closed. */
  onLost?: () => void
  retryMs?: number
}

/**
 * Has what `start` starts run on one node at a time. It starts where the lock is free, also after its node has ended, and is closed where
 * the lock is lost. After a loss the next node may begin before the last step here has ended: a step must bear that.
 * Where either throws, the lock is released, and this node tries again.
 * Where one process has the database, it starts at once.
 * @returns closes it, and leaves the lock to another node only then
 */
export function runExclusively(
  db: Db,
  name: string,
  start: () => Running,
  { onLost, retryMs = RETRY_MS }: ExclusiveOptions = {},
): Running {
  if (!isSharedByNodes(db)) return start()
  const closing = new AbortController()
  const running = contend(db, name, { start, onLost, retryMs, closing: closing.signal })
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

interface Contest {
  start: () => Running
  onLost: (() => void) | undefined
  retryMs: number
  closing: AbortSignal
}

async function contend(db: Db, name: string, { start, onLost, retryMs, closing }: Contest): Promise<void> {
  while (!closing.aborted) {
    // While PostgreSQL is unavailable there is nothing to run.
    const lock = await tryNodeLock(db, name).catch(() => null)
    try {
      if (lock && !closing.aborted) {
        const work = start()
        await abortOf(closing, lock.lost)
        if (lock.lost.aborted) onLost?.()
        await work.close()
      }
    } catch (error) {
      console.error(`perrario · «${name}» no ha podido empezar o acabar en este nodo:`, error)
    } finally {
      await lock?.release()
    }
    await abortOf(closing, AbortSignal.timeout(retryMs))
  }
}

/** Resolves when one of the signals is aborted. */
const abortOf = (...signals: AbortSignal[]): Promise<void> => {
  const any = AbortSignal.any(signals)
  return new Promise((resolve) => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}

const NEVER = new AbortController().signal

/**
 * Runs `work` unless another call with this name runs, here or on another node. Where one process has the database, its own order
 * excludes them: `work` runs at once.
 * @param work gets a signal that is aborted when another node may begin
 * @returns whether it ran
 * @throws what `work` throws, and where PostgreSQL does not answer
 */
export async function tryExclusively(
  db: Db,
  name: string,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (!isSharedByNodes(db)) {
    await work(NEVER)
    return true
  }
  const lock: NodeLock | null = await tryNodeLock(db, name)
  if (!lock) return false
  try {
    await work(lock.lost)
    return true
  } finally {
    await lock.release()
  }
}
