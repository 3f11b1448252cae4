import type { PoolClient } from 'pg'
import type { Db } from '../../client.ts'
import { poolOf } from './open.ts'

/** A lock that no other node has. */
export interface NodeLock {
  /** Aborted when its connection has ended: another node may have it by then. */
  lost: AbortSignal
  release: () => Promise<void>
}

/** How often it is checked that the connection still answers, and how long an answer may take. */
const HEARTBEAT_MS = 5000
/** Has PostgreSQL notice within half a minute that a machine is gone; otherwise it takes two hours. */
const KEEPALIVE = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

/** A connection and the locks that it has: advisory locks of a session, which end with it. */
class LockSession {
  readonly #client: PoolClient
  readonly #held = new Map<string, AbortController>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #onLost: (session: LockSession) => void
  isOver = false

  constructor(client: PoolClient, onLost: (session: LockSession) => void) {
    this.#client = client
    this.#onLost = onLost
    client.on('error', this.#lose).on('end', this.#lose)
    this.#heartbeat = setInterval(() => {
      const timer = setTimeout(this.#lose, HEARTBEAT_MS).unref()
      client.query('SELECT 1').then(() => clearTimeout(timer), this.#lose)
    }, HEARTBEAT_MS).unref()
  }

  async tryLock(name: string): Promise<AbortSignal | null> {
    const { rows } = await this.#client.query<{ isLocked: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLocked"',
      [name],
    )
    if (!rows[0]?.isLocked || this.isOver) return null
    const controller = new AbortController()
    this.#held.set(name, controller)
    return controller.signal
  }

  async unlock(name: string): Promise<void> {
    if (!this.#held.delete(name)) return
    await this.#client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(this.#lose)
  }

  /** Gives the connection back to the pool. */
  close(): void {
    if (!this.isOver) this.#end(false)
  }

  #end(isBroken: boolean): void {
    this.isOver = true
    clearInterval(this.#heartbeat)
    this.#client.off('error', this.#lose).off('end', this.#lose)
    this.#client.release(isBroken)
  }

  readonly #lose = (): void => {
    if (this.isOver) return
    this.#end(true)
    for (const controller of this.#held.values()) controller.abort(new Error('the lock’s connection has ended'))
    this.#onLost(this)
  }
}

/** The locks of one node, on one connection, which is taken from the pool while there are any. */
class NodeLocks {
  readonly #db: Db
  /** Locks that this node has or asks for: a session would be given its own ones again. */
  readonly #names = new Set<string>()
  #session: Promise<LockSession> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  async tryLock(name: string): Promise<NodeLock | null> {
    if (this.#names.has(name)) return null
    this.#names.add(name)
    let lost: AbortSignal | null = null
    try {
      const session = await (this.#session ??= this.#open())
      lost = await session.tryLock(name)
      if (!lost) return null
      const release = async () => {
        await session.unlock(name)
        this.#drop(name)
      }
      return { lost, release }
    } finally {
      if (!lost) this.#drop(name)
    }
  }

  /** The last one gives the connection back. */
  #drop(name: string): void {
    if (!this.#names.delete(name) || this.#names.size > 0) return
    this.#session?.then(
      (session) => session.close(),
      () => {},
    )
    this.#session = undefined
  }

  #open(): Promise<LockSession> {
    const opening: Promise<LockSession> = this.#connect(() => {
      if (this.#session === opening) this.#session = undefined
    })
    opening.catch(() => {
      if (this.#session === opening) this.#session = undefined
    })
    return opening
  }

  async #connect(onLost: () => void): Promise<LockSession> {
    const pool = await poolOf(this.#db)
    const client = await pool.connect()
    try {
      await client.query(KEEPALIVE)
      return new LockSession(client, onLost)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

const locksByDb = new WeakMap<Db, NodeLocks>()

/** Takes a lock unless this or another node has it; null where one has. @throws where PostgreSQL does not answer */
export function tryNodeLock(db: Db, name: string): Promise<NodeLock | null> {
  let locks = locksByDb.get(db)
  if (!locks) locksByDb.set(db, (locks = new NodeLocks(db)))
  return locks.tryLock(name)
}
