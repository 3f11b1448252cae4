import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/**
 * Statements that each connection keeps prepared, a few more than the pages and calls of one busy minute send. PostgreSQL otherwise parses
 * and plans every one again, which takes longer than most of them take to run. The first ones that come are kept: those of every page are
 * among them, and a list's with an unusual number of values is not.
 */
const MAX_PREPARED_STATEMENTS = 500

/** A table was changed by another version of the program: what a connection has prepared over `*` is of no use any more. */
const CHANGED_RESULT_CODE = '0A000'

const names = new Map<string, string>()

/** The name under which a statement is prepared; undefined for one that is not. */
function nameStatement(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_PREPARED_STATEMENTS) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
  names.set(text, name)
  return name
}

/** A pool for Kysely whose connections prepare statements with values. */
export function preparingPool(pool: Pool): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let preparing = clients.get(client)
      if (!preparing) clients.set(client, (preparing = preparingClient(client)))
      return preparing
    },
    end: () => pool.end(),
  }
}

function preparingClient(client: PoolClient): PostgresPoolClient {
  let isOutdated = false
  const query = async (text: string, values: readonly unknown[]) => {
    const name = values.length > 0 ? nameStatement(text) : undefined
    try {
      return await client.query({ text, values: [...values], ...(name !== undefined && { name }) })
    } catch (error) {
      isOutdated ||= (error as { code?: unknown }).code === CHANGED_RESULT_CODE
      throw error
    }
  }
  return {
    // Kysely's other form is for cursors, which this dialect has none of.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || isOutdated),
  }
}
