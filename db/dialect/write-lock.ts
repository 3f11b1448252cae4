import { sql } from 'kysely'
import type { Db, Trx } from '../client.ts'
import { ConcurrencyLimiter } from '../concurrency-limiter.ts'
import { DatabaseBusyError } from '../errors.ts'
import { type AnyDb, beginTransaction, dialectOf } from './dialect.ts'

/** PostgreSQL's advisory lock that every transaction that writes holds, of all processes. */
const WRITE_LOCK = 1
/** A transaction that has waited this long for its turn in this process fails, as one that waits for a connection does. */
const TURN_TIMEOUT_MS = 10_000

/** The turns of each PostgreSQL database: what waits here takes no connection from readers. */
const turns = new WeakMap<Db, ConcurrencyLimiter>()

/**
 * Runs `action` in a transaction that is the database's only writer: so commits are in the order of ids, and nothing that was read is
 * changed by others. SQLite has one writer by itself (`begin immediate`). In PostgreSQL (READ COMMITTED) each process runs one such
 * transaction at a time, and those of several processes wait for the lock.
 * @param db the database itself, not a transaction
 * @throws DatabaseBusyError after TURN_TIMEOUT_MS; PostgreSQL's 55P03 where another process keeps the lock longer than `lock_timeout`
 */
export async function withWriteLock<T>(db: Db, action: (trx: Trx) => Promise<T>): Promise<T> {
  if (dialectOf(db) === 'sqlite') return beginTransaction(db, action)
  let limiter = turns.get(db)
  if (!limiter) turns.set(db, (limiter = new ConcurrencyLimiter(1)))
  const release = await limiter.acquire(TURN_TIMEOUT_MS)
  if (!release) throw new DatabaseBusyError()
  try {
    return await beginTransaction(db, async (trx) => {
      await takeWriteLock(trx)
      return action(trx)
    })
  } finally {
    release()
  }
}

/** Takes the lock in a transaction that was begun otherwise, before it writes. */
export async function takeWriteLock(trx: AnyDb): Promise<void> {
  if (dialectOf(trx) === 'postgres') await sql`SELECT pg_advisory_xact_lock(${sql.lit(WRITE_LOCK)})`.execute(trx)
}
