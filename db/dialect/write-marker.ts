import { sql } from 'kysely'
import { type AnyDb, dialectOf } from './dialect.ts'

/** A text that changes with every commit of another connection, in any process. `db` must have one connection of its own in SQLite. */
export async function readWriteMarker(db: AnyDb): Promise<string> {
  if (dialectOf(db) === 'postgres') {
    // The whole snapshot: its upper end alone stays when an older transaction commits after a younger one.
    const { rows } = await sql<{ marker: string }>`SELECT pg_current_snapshot()::text AS marker`.execute(db)
    return rows[0]?.marker ?? ''
  }
  const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(db)
  return String(rows[0]?.data_version)
}
