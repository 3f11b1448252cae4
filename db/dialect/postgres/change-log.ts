import { sql } from 'kysely'
import { Client } from 'pg'
import type { Db, Trx } from '../../client.ts'
import { APPLICATION_NAME, CONNECT_TIMEOUT_MS, KEEP_ALIVE_DELAY_MS } from './open.ts'

// The change log: what each committed transaction has written, which all nodes read in the order of ids. One transaction writes at a time,
// so ids are in the order of commits. It is no data: unlogged, and a move leaves it out.

/** The log, unknown to the schema of both databases. */
export const CHANGE_LOG = 'table_changes'
/** The channel that wakes the nodes. It carries nothing: the log is what they read. */
const CHANNEL = 'perrario_changes'
export interface LoggedChange {
  id: number
  /** As `listWrites` spells them (db/statement-tables.ts). */
  writes: string[]
}

/** Whether a server of the site runs on the database: each listens, those of earlier versions too. */
export async function isServed(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND starts_with(query, 'LISTEN perrario_')`.execute(
    db,
  )
  return rows.length > 0
}

/** Adds what a transaction has written to the log, and wakes the nodes at its commit. @returns its id */
export async function appendChange(trx: Trx, writes: ReadonlySet<string>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH change AS (INSERT INTO ${sql.table(CHANGE_LOG)} (writes) VALUES (${[...writes].join(',')}) RETURNING id)
    SELECT id, pg_notify(${sql.lit(CHANNEL)}, '') FROM change`.execute(trx)
  return rows[0]!.id
}

/** The id of the last change. */
export async function findLogEnd(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM ${sql.table(CHANGE_LOG)}`.execute(db)
  return rows[0]?.id ?? 0
}

/** The changes after an id, in their order. */
export async function readChanges(db: Db, after: number): Promise<LoggedChange[]> {
  const { rows } = await sql<{ id: number; writes: string }>`
    SELECT id, writes FROM ${sql.table(CHANGE_LOG)} WHERE id > ${after} ORDER BY id`.execute(db)
  return rows.map(({ id, writes }) => ({ id, writes: writes.split(',') }))
}

/** Deletes changes that every node has read. By index `table_changes_age`. */
export async function deleteReadChanges(db: Db, retentionMs: number): Promise<void> {
  await sql`DELETE FROM ${sql.table(CHANGE_LOG)} WHERE created_at < now() - ${retentionMs} * interval '1 millisecond'`.execute(
    db,
  )
}

/**
 * Listens on a connection of its own.
 * @param onWake called when a node has written
 * @param onLost called once when the connection ends by itself after it has listened
 * @param timeoutMs how long the connection may take, and then its `LISTEN`
 * @returns ends it
 * @throws where PostgreSQL does not answer in time; the connection is ended
 */
export async function listenForChanges(
  url: string,
  onWake: () => void,
  onLost: () => void,
  timeoutMs = CONNECT_TIMEOUT_MS,
): Promise<() => Promise<void>> {
  const client = new Client({
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  })
  const end = () => client.end().catch(() => {})
  let isListening = false
  const lose = () => {
    if (!isListening) return
    isListening = false
    void end()
    onLost()
  }
  client.on('notification', onWake)
  client.on('error', lose)
  client.on('end', lose)
  try {
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}`)
  } catch (error) {
    void end()
    throw error
  }
  isListening = true
  return async () => {
    isListening = false
    await end()
  }
}
