import { Pool, type PoolConfig } from 'pg'
import type { Db } from '../../client.ts'
import { poolOf, watchPool } from './open.ts'

/** Longer than a healthy database takes, shorter than a balancer waits. */
const PING_TIMEOUT_MS = 2000

const pingPools = new WeakMap<Db, Promise<Pool>>()
const running = new WeakMap<Db, Promise<void>>()

async function openPingPool(db: Db): Promise<Pool> {
  const settings: PoolConfig = {
    ...(await poolOf(db)).options,
    max: 1,
    allowExitOnIdle: true,
    connectionTimeoutMillis: PING_TIMEOUT_MS,
    statement_timeout: PING_TIMEOUT_MS,
    query_timeout: PING_TIMEOUT_MS,
  }
  return watchPool(new Pool(settings))
}

async function ping(db: Db): Promise<void> {
  let opening = pingPools.get(db)
  if (!opening) pingPools.set(db, (opening = openPingPool(db)))
  const client = await (await opening).connect()
  let isBroken = true
  try {
    await client.query('SELECT value FROM totals LIMIT 1')
    isBroken = false
  } finally {
    // A connection that did not answer may still have the query.
    client.release(isBroken)
  }
}

/**
 * Reads one row on a connection of its own: it waits for no request's. Calls at the same moment share it.
 * @throws where PostgreSQL does not answer within PING_TIMEOUT_MS
 */
export function pingPostgres(db: Db): Promise<void> {
  let current = running.get(db)
  if (!current) running.set(db, (current = ping(db).finally(() => running.delete(db))))
  return current
}
