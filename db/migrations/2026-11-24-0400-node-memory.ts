import { type Kysely, sql } from 'kysely'
import { isSharedByNodes } from '../dialect/dialect.ts'

const TABLES: readonly string[] = [
  `CREATE UNLOGGED TABLE node_secrets (day date PRIMARY KEY, secret bytea NOT NULL)`,
  `CREATE UNLOGGED TABLE node_counters (
    key bytea PRIMARY KEY, name text COLLATE "C" NOT NULL, points bigint NOT NULL, expires_at timestamptz NOT NULL)`,
  `CREATE INDEX node_counters_expiry ON node_counters (expires_at)`,
  `CREATE UNLOGGED TABLE node_notes (key bytea PRIMARY KEY, value text NOT NULL, noted_at timestamptz NOT NULL)`,
  `CREATE INDEX node_notes_age ON node_notes (noted_at)`,
]

/** What a single process has in its memory, for the nodes that share a PostgreSQL: SQLite gets no table. */
export async function up(db: Kysely<any>): Promise<void> {
  if (isSharedByNodes(db)) for (const statement of TABLES) await sql.raw(statement).execute(db)
}
