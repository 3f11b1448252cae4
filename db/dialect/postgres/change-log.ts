import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Db } from '../../client.ts'
import { takeWriteLock } from '../write-lock.ts'
import { APPLICATION_NAME, CONNECT_TIMEOUT_MS, KEEP_ALIVE_DELAY_MS } from './open.ts'
import { parseSnapshot, type Snapshot } from './snapshots.ts'

/**
 * The change log: a row for each tag that a committed transaction has invalidated, which all nodes read. Its triggers are set up by the
 * nodes, not by migrations: they follow the program's constants, and the log is no data (a move leaves it out).
 */
export const CHANGE_LOG = 'cache_changes'

/** The channel that wakes the nodes. It carries nothing: the log is what they read. */
const CHANNEL = 'perrario_cache_changes'

/** A trigger: its event with the table (`INSERT ON dogs`), its condition, and calls of `perrario_changed` separated by statement. */
export interface ChangeTrigger {
  event: string
  condition: string
  calls: readonly string[]
}

const PREFIX = 'perrario_cache_'

/** Unlogged: after a crash of the server it is empty, and every node begins anew with its next connection. */
const CREATE_LOG = [
  `CREATE UNLOGGED TABLE IF NOT EXISTS ${CHANGE_LOG} (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    tag text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE INDEX IF NOT EXISTS ${CHANGE_LOG}_xid ON ${CHANGE_LOG} (xid, id)`,
  `CREATE INDEX IF NOT EXISTS ${CHANGE_LOG}_created ON ${CHANGE_LOG} (created_at)`,
  `CREATE OR REPLACE FUNCTION perrario_changed(tag text) RETURNS void LANGUAGE sql AS
    $$ INSERT INTO ${CHANGE_LOG} (tag) SELECT tag WHERE tag IS NOT NULL $$`,
]

/**
 * Creates the log and its triggers, unless another node of the same program has done so. Nodes that start at the same time wait for each
 * other.
 */
export async function installChangeLog(db: Db, triggers: readonly ChangeTrigger[]): Promise<void> {
  const statements = [...CREATE_LOG, ...triggers.flatMap(createTrigger)]
  const fingerprint = createHash('sha256').update(statements.join('\n')).digest('hex')
  await db.transaction().execute(async (trx) => {
    // Another node that starts may take longer than a request waits.
    await sql`SET LOCAL lock_timeout = 0`.execute(trx)
    await sql`SELECT pg_advisory_xact_lock(hashtext(${CHANNEL}))`.execute(trx)
    const { rows } = await sql<{ text: string | null }>`
      SELECT obj_description(to_regclass(${CHANGE_LOG}), 'pg_class') AS text`.execute(trx)
    if (rows[0]?.text === fingerprint) return
    // Who writes has locks of tables that the triggers want.
    await takeWriteLock(trx)
    // Triggers of another version of the program, which may have had more of them.
    const old = await sql<{ name: string; table_name: string }>`
      SELECT t.tgname AS name, c.relname AS table_name FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(t.tgname, ${PREFIX})`.execute(trx)
    for (const { name, table_name } of old.rows)
      await sql`DROP TRIGGER ${sql.id(name)} ON ${sql.table(table_name)}`.execute(trx)
    for (const statement of statements) await sql.raw(statement).execute(trx)
    await sql.raw(`COMMENT ON TABLE ${CHANGE_LOG} IS '${fingerprint}'`).execute(trx)
  })
}

function createTrigger({ event, condition, calls }: ChangeTrigger, index: number): string[] {
  const name = `${PREFIX}${index}`
  return [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${calls.map((call) => `PERFORM ${call};`).join(' ')} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${name}()`,
  ]
}

/** The snapshot behind all that is committed now. */
export async function findLogEnd(db: Db): Promise<Snapshot> {
  const { rows } = await sql<{ snapshot: string }>`SELECT pg_current_snapshot()::text AS snapshot`.execute(db)
  return parseSnapshot(rows[0]?.snapshot ?? '')
}

/**
 * Reads the entries of all transactions that have committed since `last`, the snapshot of the read before: those that it did not see.
 * Ids are no measure: they are given when a row is written and not when it commits. By index `cache_changes_xid`.
 */
export async function readChanges(db: Db, last: Snapshot): Promise<{ snapshot: Snapshot; tags: string[] }> {
  // One statement: the snapshot that is named is the one in which the rows are read.
  const { rows } = await sql<{ snapshot: string | null; tag: string | null }>`
    SELECT pg_current_snapshot()::text AS snapshot, NULL AS tag
    UNION ALL SELECT NULL, tag FROM ${sql.table(CHANGE_LOG)} WHERE xid >= ${String(last.xmax)}::xid8
    UNION ALL SELECT NULL, tag FROM ${sql.table(CHANGE_LOG)} WHERE xid = ANY (${last.inProgress.map(String)}::xid8[])`.execute(
    db,
  )
  const snapshot = rows.find((row) => row.snapshot !== null)?.snapshot
  const tags = new Set(rows.flatMap(({ tag }) => (tag === null ? [] : [tag])))
  return { snapshot: snapshot ? parseSnapshot(snapshot) : last, tags: [...tags] }
}

/** Deletes entries that every node has read. By index `cache_changes_created`. */
export async function deleteReadChanges(db: Db, retentionMs: number): Promise<void> {
  await sql`DELETE FROM ${sql.table(CHANGE_LOG)} WHERE created_at < now() - ${retentionMs} * interval '1 millisecond'`.execute(
    db,
  )
}

/**
 * Wakes all nodes. Outside the transaction that changed something: a NOTIFY within one takes a lock at its commit that all committing
 * transactions share (https://www.postgresql.org/docs/current/sql-notify.html).
 * @param sender the name of the node that has written
 */
export const wakeNodes = async (db: Db, sender: string): Promise<void> =>
  void (await sql`SELECT pg_notify(${CHANNEL}, ${sender})`.execute(db))

/**
 * Listens on a connection of its own.
 * @param onWake called with the name of the node that has written; empty for one of an earlier release
 * @param onLost called once when the connection ends by itself after it has listened
 * @param timeoutMs how long the connection may take, and then its `LISTEN`
 * @returns ends it
 * @throws where PostgreSQL does not answer in time; the connection is ended
 */
export async function listenForChanges(
  url: string,
  onWake: (sender: string) => void,
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
  client.on('notification', ({ payload = '' }) => onWake(payload))
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
