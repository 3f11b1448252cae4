import { HandleEmptyInListsPlugin, Kysely, PostgresDialect, replaceWithNoncontingentExpression } from 'kysely'
import { Pool, types } from 'pg'
import type { Db } from '../../client.ts'
import type { Schema } from '../../schema.ts'
import { countStatement } from '../../statement-count.ts'
import { withPreparedStatements } from './statements.ts'

/** Connections of one process: queries are short, and PostgreSQL works best with a few times as many as it has cores. */
const MAX_CONNECTIONS = 16
export const CONNECT_TIMEOUT_MS = 10_000
export const KEEP_ALIVE_DELAY_MS = 10_000
/** A statement that takes longer than any page waits. */
const STATEMENT_TIMEOUT_MS = 30_000
/** Ends the wait for another transaction's lock, which keeps a connection: the answer is then 503 with `Retry-After`. */
const LOCK_TIMEOUT_MS = 3000
/** Ends a transaction whose process was stopped or cut off in the middle: its row locks would hold up all others. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5000
/** The same for a command, whose transactions may wait for what another database or a file does. */
const COMMAND_IDLE_TRANSACTION_TIMEOUT_MS = 30_000

const { INT8, NUMERIC } = types.builtins

/**
 * Reads 64-bit integers, and sums of them (`numeric`), as numbers, which in this schema are exact: times in ms and counts.
 * For this pool only: `types.setTypeParser` would change every other user of `pg`.
 */
const numberTypes: typeof types = {
  ...types,
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}

/** The name of a server's connections; a command that must not run beside one looks for it. */
export const APPLICATION_NAME = 'perrario'

export interface PostgresOptions {
  /** The connections' name in `pg_stat_activity`, by default a server's. */
  applicationName?: string
  maxConnections?: number
  /** For a command, which nobody waits for: its statements and locks have no limit. */
  isCommand?: boolean
  /** Lets the process end while connections are open. */
  allowExitOnIdle?: boolean
}

const SERVER_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
}
const COMMAND_LIMITS = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: COMMAND_IDLE_TRANSACTION_TIMEOUT_MS,
}

/** A pool with the settings that all code relies on. It connects with its first query. */
export function openPostgresPool(url: string, options: PostgresOptions = {}): Pool {
  return watchPool(
    new Pool({
      connectionString: url,
      max: options.maxConnections ?? MAX_CONNECTIONS,
      allowExitOnIdle: options.allowExitOnIdle ?? false,
      application_name: options.applicationName ?? APPLICATION_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // A server that is gone without a word, its machine or the network, is noticed in some twenty seconds.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      ...(options.isCommand ? COMMAND_LIMITS : SERVER_LIMITS),
      types: numberTypes,
    }),
  )
}

/** Keeps connections that break from ending the process. */
export function watchPool(pool: Pool): Pool {
  // The pool replaces a connection that breaks while nobody uses it; without a listener the error would end the process.
  pool.on('error', (error: Error & { code?: string }) =>
    console.error(`perrario · PostgreSQL ha cerrado una conexión sin uso (${error.code ?? error.message})`),
  )
  // One that breaks between two statements of a transaction: the next of them fails, and without a listener so would the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/**
 * Opens PostgreSQL 15 or later. Call `migrate` before use.
 * @param url `postgres://user:password@host:port/database`
 */
export const openPostgres = (url: string, options?: PostgresOptions): Kysely<Schema> =>
  toPostgresKysely(async () => openPostgresPool(url, options))

/** The pool of each Kysely. */
const pools = new WeakMap<Db, () => Promise<Pool>>()

/** A Kysely over a pool, which is opened for its first query. */
export function toPostgresKysely(openPool: () => Promise<Pool>): Kysely<Schema> {
  let pool: Promise<Pool> | undefined
  const open = () => {
    const opening = (pool ??= openPool())
    opening.catch(() => (pool = undefined))
    return opening
  }
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: async () => withPreparedStatements(await open()) }),
    // Called for each statement, failed ones too.
    log: countStatement,
    // SQLite takes `in ()` for a condition that nothing meets; PostgreSQL refuses it.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })
  pools.set(db, open)
  return db
}

/** The pool of `db`, for a connection that is held. @throws for a transaction */
export async function poolOf(db: Db): Promise<Pool> {
  const open = pools.get(db)
  if (!open) throw new Error('poolOf wants the database itself, not a transaction')
  return open()
}
