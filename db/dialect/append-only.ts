import { type AnyDb, dialectOf } from './dialect.ts'

/**
 * Statements after which a table only takes new rows: the database refuses to change one, and to delete one before its time. The age is
 * counted by the database's clock, so that no caller can name another.
 * @param table with the columns `id` and `created_at` (ms)
 * @param retentionMs age at which a row may be deleted
 */
export const listAppendOnlyStatements = (db: AnyDb, table: string, retentionMs: number): string[] =>
  dialectOf(db) === 'postgres' ? postgresStatements(table, retentionMs) : sqliteStatements(table, retentionMs)

const sqliteStatements = (table: string, retentionMs: number): string[] => [
  `CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table}
    BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
  // INSERT OR REPLACE deletes the earlier row without its DELETE triggers.
  `CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE id = new.id)
    BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
  `CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table}
    WHEN old.created_at > CAST(strftime('%s', 'now') AS INTEGER) * 1000 - ${retentionMs}
    BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
]

const postgresStatements = (table: string, retentionMs: number): string[] => [
  `CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '${table} is append-only'; END $$`,
  `CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
  `CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} FOR EACH ROW
    WHEN (old.created_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${retentionMs})
    EXECUTE FUNCTION ${table}_refuse()`,
  `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} EXECUTE FUNCTION ${table}_refuse()`,
]
