import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool, PoolClient } from 'pg'
import { noteStatement } from '../../table-changes.ts'
import { isStalePlanError } from '../errors.ts'

/**
 * PostgreSQL has no NUL (U+0000) in its texts and refuses a statement with one. `normaliseText` takes it out of what people write; here
 * it leaves whatever else is sent: parts of addresses, of cursors, of JSON.
 */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value
  return Array.isArray(value) ? value.map(withoutNul) : value
}

/** Statements that a connection keeps parsed and planned, some 20 kB each. */
const MAX_PREPARED = 250
/** How often a statement comes before it is prepared: others are lists of some length that may not come again. */
const RUNS_BEFORE_PREPARED = 5
/** Statements whose runs are counted, the least recent ones forgotten first. */
const MAX_COUNTED = 500
/** Longer ones are inserts of many rows, of which hardly two are the same. */
const MAX_STATEMENT_CHARS = 4000

/**
 * The names under which statements are prepared: PostgreSQL then parses and plans them once for each connection, which takes as long as
 * running them (half of its time for a like). The least recently used one loses its name to another that has become common. No name is
 * given twice, since connections may still have its statement.
 */
class StatementNames {
  readonly #names = new LRUCache<string, string>({ max: MAX_PREPARED })
  readonly #runs = new LRUCache<string, number>({ max: MAX_COUNTED })
  #count = 0

  /** Counts a run. @returns undefined for a statement that is not prepared */
  find(statement: string): string | undefined {
    const name = this.#names.get(statement)
    if (name !== undefined || statement.length > MAX_STATEMENT_CHARS) return name
    const runs = (this.#runs.get(statement) ?? 0) + 1
    if (runs >= RUNS_BEFORE_PREPARED) return this.rename(statement)
    this.#runs.set(statement, runs)
    return undefined
  }

  /** Gives it a new name: connections prepare it again. */
  rename(statement: string): string {
    const name = `perrario_${++this.#count}`
    this.#runs.delete(statement)
    this.#names.set(statement, name)
    return name
  }
}

/** The pool as Kysely uses it: common statements are prepared, and their parameters are what PostgreSQL can store. */
export function withPreparedStatements(pool: Pool): PostgresPool {
  const names = new StatementNames()
  // Kysely keeps what it knows of a connection by its client.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      let wrapped = clients.get(client)
      if (!wrapped) clients.set(client, (wrapped = wrapClient(client, names)))
      return wrapped
    },
  }
}

type Query = (text: string, parameters: readonly unknown[]) => Promise<unknown>

function wrapClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  const unused: string[] = []
  const prepared = new LRUCache<string, true>({ max: MAX_PREPARED, dispose: (_, name) => unused.push(name) })
  const runPrepared = async (name: string, text: string, values: unknown[]) => {
    const result = await client.query({ name, text, values })
    prepared.set(name, true)
    return result
  }
  const query: Query = async (text, parameters) => {
    noteStatement(text)
    const values = parameters.map(withoutNul)
    const name = names.find(text)
    if (name === undefined) return client.query(text, values)
    try {
      return await runPrepared(name, text, values)
    } catch (error) {
      if (!isStalePlanError(error)) throw error
      // Within a transaction, which has failed with it, `transact` runs it again.
      return runPrepared(names.rename(text), text, values).catch(() => Promise.reject(error))
    }
  }
  const release = (destroy?: boolean): void => {
    if (destroy || unused.length === 0) return client.release(destroy)
    // Here no transaction is open, which an error would end.
    deallocate(client, unused.splice(0)).then(
      () => client.release(),
      () => client.release(true),
    )
  }
  return { query: query as PostgresPoolClient['query'], release }
}

/** Frees statements, in PostgreSQL and in the driver, which keeps their texts by their names. */
async function deallocate(client: PoolClient, names: readonly string[]): Promise<void> {
  const { connection } = client as PoolClient & { connection?: { parsedStatements?: Record<string, string> } }
  for (const name of names) {
    await client.query(`DEALLOCATE ${name}`)
    if (connection?.parsedStatements) delete connection.parsedStatements[name]
  }
}
