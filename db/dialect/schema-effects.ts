import { sql } from 'kysely'
import type { Db } from '../client.ts'
import { listWrites, namesIn } from '../statement-tables.ts'
import { dialectOf } from './dialect.ts'

/** What statements do beyond their own texts, as the schema says it. Writes are spelled as `listWrites` does. */
export interface SchemaEffects {
  /** The names of all tables. */
  tables: ReadonlySet<string>
  /** The tables of each view. */
  views: ReadonlyMap<string, readonly string[]>
  /** The writes that a foreign key adds to a write: `d comments` to `d dogs`. */
  cascades: ReadonlyMap<string, readonly string[]>
  /** The writes that triggers add to a write. */
  triggers: ReadonlyMap<string, readonly string[]>
}

interface EffectRow {
  kind: 'table' | 'view' | 'cascade' | 'trigger' | 'function'
  /** The table; the view; the parent; the trigger's table; the function. */
  name: string
  /** Nothing; the query; the child's change; the trigger's statements; the function's. */
  text: string
  /** Of a trigger: its events (`INSERT UPDATE`). */
  events: string
}

const SQLITE_EFFECTS = sql<EffectRow>`
  SELECT type AS kind, CASE type WHEN 'trigger' THEN tbl_name ELSE name END AS name, sql AS text, '' AS events
  FROM sqlite_schema WHERE type IN ('table', 'view', 'trigger')
  UNION ALL SELECT 'cascade', f."table", CASE f.on_delete WHEN 'CASCADE' THEN 'd ' ELSE 'u ' END || t.name, ''
  FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
  WHERE t.type = 'table' AND f.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT')`

/** Bits of `tgtype`: 4 INSERT, 8 DELETE, 16 UPDATE (src/include/catalog/pg_trigger.h). */
const POSTGRES_EFFECTS = sql<EffectRow>`
  SELECT 'view' AS kind, viewname::text AS name, definition AS text, '' AS events
  FROM pg_views WHERE schemaname = current_schema()
  UNION ALL SELECT 'table', tablename::text, '', '' FROM pg_tables WHERE schemaname = current_schema()
  UNION ALL SELECT 'cascade', r.relname::text, CASE f.confdeltype WHEN 'c' THEN 'd ' ELSE 'u ' END || t.relname, ''
  FROM pg_constraint AS f JOIN pg_class AS t ON t.oid = f.conrelid JOIN pg_class AS r ON r.oid = f.confrelid
  WHERE f.contype = 'f' AND f.confdeltype IN ('c', 'n', 'd') AND t.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT 'function', proname::text, prosrc, ''
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL SELECT 'trigger', t.relname::text, p.prosrc, concat_ws(' ',
    CASE WHEN g.tgtype & 4 > 0 THEN 'INSERT' END, CASE WHEN g.tgtype & 8 > 0 THEN 'DELETE' END,
    CASE WHEN g.tgtype & 16 > 0 THEN 'UPDATE' END)
  FROM pg_trigger AS g JOIN pg_class AS t ON t.oid = g.tgrelid JOIN pg_proc AS p ON p.oid = g.tgfoid
  WHERE NOT g.tgisinternal AND t.relnamespace = current_schema()::regnamespace`

/** Before its body SQLite's trigger says what runs it. */
const SQLITE_TRIGGER = /\b(INSERT|DELETE|UPDATE)\b[\s\S]*?\bBEGIN\b/i

/** Reads them from the database. */
export async function readSchemaEffects(db: Db): Promise<SchemaEffects> {
  const { rows } = await (dialectOf(db) === 'postgres' ? POSTGRES_EFFECTS : SQLITE_EFFECTS).execute(db)
  const tables = new Set(rows.filter(({ kind }) => kind === 'table').map(({ name }) => name))
  const functions = new Map(rows.filter(({ kind }) => kind === 'function').map(({ name, text }) => [name, text]))
  const views = new Map<string, readonly string[]>()
  const cascades = new Map<string, string[]>()
  const triggers = new Map<string, string[]>()
  const add = (effects: Map<string, string[]>, write: string, more: readonly string[]) =>
    effects.set(write, [...(effects.get(write) ?? []), ...more])
  for (const { kind, name, text, events } of rows) {
    if (kind === 'view')
      views.set(
        name,
        namesIn(text).filter((each) => tables.has(each)),
      )
    if (kind === 'cascade') add(cascades, `d ${name}`, [text])
    if (kind !== 'trigger') continue
    const [head = '', event = ''] = SQLITE_TRIGGER.exec(text) ?? []
    const writes = events ? writesOfFunction(text, functions) : listWrites(text.slice(text.indexOf(head) + head.length))
    for (const each of (events || event).split(' ')) add(triggers, `${each[0]?.toLowerCase()} ${name}`, writes)
  }
  return { tables, views, cascades, triggers }
}

/** The writes of a function's text and of the functions that it calls. */
function writesOfFunction(text: string, functions: ReadonlyMap<string, string>): string[] {
  const texts = new Set([text])
  for (const each of texts)
    for (const name of namesIn(each)) {
      const called = functions.get(name)
      if (called !== undefined) texts.add(called)
    }
  return [...texts].flatMap(listWrites)
}
