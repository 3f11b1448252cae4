import { LRUCache } from 'lru-cache'

/** What a statement's text says of tables. */
export interface StatementTables {
  /** Every name in it: of the tables and views that it reads, and of whatever else has one. */
  names: readonly string[]
  /** Its writes, each with its verb: `i dogs` inserts, `u dogs` updates, `d dogs` deletes. */
  writes: readonly string[]
}

const TEXTS = /'(?:[^']|'')*'/g
const NAMES = /[a-z_][a-z0-9_]*/gi
const WRITES = /\b(insert\s+into|insert\s+or\s+(\w+)\s+into|replace\s+into|update|delete\s+from)\s+"?(\w+)"?/gi

/** The names in a text of SQL, without those in its literals. */
export const namesIn = (text: string): string[] => [
  ...new Set((text.replace(TEXTS, "''").match(NAMES) ?? []).map((name) => name.toLowerCase())),
]

/** The writes in a text of SQL, which may be of several statements. An insert that may replace or update a row counts as each of them. */
export function listWrites(text: string): string[] {
  const writes = new Set<string>()
  let inserted = ''
  for (const [, verb = '', alternative, name = ''] of text.replace(TEXTS, "''").matchAll(WRITES)) {
    const table = name.toLowerCase()
    const kind = verb[0]?.toLowerCase()
    // `ON CONFLICT … DO UPDATE SET`.
    if (kind === 'u') writes.add(`u ${table === 'set' ? inserted : table}`)
    else if (kind === 'd') writes.add(`d ${table}`)
    else {
      writes.add(`i ${table}`)
      inserted = table
      if (kind === 'r' || alternative?.toLowerCase() === 'replace') writes.add(`d ${table}`)
    }
  }
  return [...writes]
}

/** Parsed texts in the cache: more than prepared statements (MAX_CACHED_STATEMENTS). */
const MAX_CACHED_TEXTS = 1000
/** Longer ones are inserts of many rows, of which hardly two are the same. */
const MAX_CACHED_CHARS = 8000
const cache = new LRUCache<string, StatementTables>({ max: MAX_CACHED_TEXTS })

/** The tables of a statement, found once for each text. */
export function tablesOfStatement(text: string): StatementTables {
  const known = cache.get(text)
  if (known) return known
  const tables = { names: namesIn(text), writes: listWrites(text) }
  if (text.length <= MAX_CACHED_CHARS) cache.set(text, tables)
  return tables
}
