import type { Db } from '../client.ts'
import { ConcurrencyLimiter } from '../concurrency-limiter.ts'
import { DatabaseBusyError } from '../errors.ts'
import { dialectOf } from './dialect.ts'
import { hasPool, poolOf } from './postgres/open.ts'

/** The part of a pool that is left for statements outside transactions: they answer while transactions wait for locks. */
const READERS_SHARE = 3 / 8
/** A transaction that has waited this long for its turn fails, as one that waits for a connection does. */
const SLOT_TIMEOUT_MS = 10_000

const limiters = new WeakMap<Db, Promise<ConcurrencyLimiter>>()

const openLimiter = async (db: Db): Promise<ConcurrencyLimiter> => {
  const { max } = (await poolOf(db)).options
  return new ConcurrencyLimiter(max - Math.floor(max * READERS_SHARE))
}

/**
 * Runs a transaction when it is its turn. In PostgreSQL one that waits for a lock keeps its connection: at most ten of the pool's
 * sixteen have one at a time, and the others wait here without any. SQLite runs one transaction at a time by itself.
 * @param db the database itself, not a transaction
 * @throws DatabaseBusyError after SLOT_TIMEOUT_MS
 */
export async function withTransactionSlot<T>(db: Db, run: () => Promise<T>): Promise<T> {
  // A Kysely made of the database, as tests make them, has its connections but is not counted.
  if (dialectOf(db) === 'sqlite' || !hasPool(db)) return run()
  let limiter = limiters.get(db)
  if (!limiter) {
    limiters.set(db, (limiter = openLimiter(db)))
    limiter.catch(() => limiters.delete(db))
  }
  const release = await (await limiter).acquire(SLOT_TIMEOUT_MS)
  if (!release) throw new DatabaseBusyError()
  try {
    return await run()
  } finally {
    release()
  }
}
