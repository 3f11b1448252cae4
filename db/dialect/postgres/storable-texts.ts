import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/**
 * PostgreSQL has no NUL (U+0000) in its texts and refuses a statement with one. `normaliseText` takes it out of what people write; here
 * it leaves whatever else is sent: parts of addresses, of cursors, of JSON.
 */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value
  return Array.isArray(value) ? value.map(withoutNul) : value
}

/** The pool as Kysely uses it, with parameters that PostgreSQL can store. */
export function withStorableTexts(pool: Pool): PostgresPool {
  // Kysely keeps what it knows of a connection by its client.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      let wrapped = clients.get(client)
      if (!wrapped) clients.set(client, (wrapped = wrapClient(client)))
      return wrapped
    },
  }
}

type Query = (statement: string, parameters: readonly unknown[]) => Promise<unknown>

function wrapClient(client: PoolClient): PostgresPoolClient {
  const query: Query = (statement, parameters) => client.query(statement, parameters.map(withoutNul))
  return { query: query as PostgresPoolClient['query'], release: (destroy?: boolean) => client.release(destroy) }
}
