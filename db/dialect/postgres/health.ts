import { sql } from 'kysely'
import type { Db } from '../../client.ts'

/** What PostgreSQL says of itself and of this program's tables. */
export interface PostgresHealth {
  /** «18.1» */
  version: string
  /** Tables that this user may not read or write. */
  forbiddenTables: string[]
  /** Tables with triggers that are switched off: their counts and references go wrong. */
  tablesWithDisabledTriggers: string[]
  /** Foreign keys whose rows PostgreSQL was told not to check. */
  uncheckedReferences: string[]
}

const OWN_TABLES = sql`FROM pg_class AS t WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r'`

export async function readPostgresHealth(db: Db): Promise<PostgresHealth> {
  const { rows } = await sql<PostgresHealth>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      ARRAY (SELECT t.relname::text ${OWN_TABLES} AND NOT (has_table_privilege(t.oid, 'SELECT')
        AND has_table_privilege(t.oid, 'INSERT') AND has_table_privilege(t.oid, 'UPDATE')
        AND has_table_privilege(t.oid, 'DELETE')) ORDER BY 1) AS "forbiddenTables",
      ARRAY (SELECT t.relname::text ${OWN_TABLES}
        AND EXISTS (SELECT 1 FROM pg_trigger AS g WHERE g.tgrelid = t.oid AND g.tgenabled = 'D')
        ORDER BY 1) AS "tablesWithDisabledTriggers",
      ARRAY (SELECT c.conname::text FROM pg_constraint AS c
        WHERE c.connamespace = current_schema()::regnamespace AND c.contype = 'f' AND NOT c.convalidated
        ORDER BY 1) AS "uncheckedReferences"`.execute(db)
  const [health] = rows
  if (!health) throw new Error('PostgreSQL answered no row')
  return health
}
