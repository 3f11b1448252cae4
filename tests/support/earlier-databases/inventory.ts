import type Database from 'better-sqlite3'
import type { Trx as Db } from '#db/client.ts'
import { sqliteOf } from '#db/client.ts'
import { mainCause } from '#db/content.ts'
import { fillInNames } from '#lib/text/names.ts'

/** What no migration may lose, as sorted lines. */
export interface Inventory {
  /** Addresses of dogs, with the dog; also of those that are gone. */
  paths: string[]
  /** Names of photos of dogs, hidden ones too. */
  photos: string[]
  /** What is hidden, and why. */
  hidden: string[]
  /** Comments and likes of hidden dogs. */
  hiddenRows: string[]
  /** What each member's bell says. */
  notifications: string[]
}

/** The rows of each table. */
export const countTables = (sqlite: Database.Database): Record<string, number> =>
  Object.fromEntries(
    (
      sqlite
        .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
        .pluck()
        .all() as string[]
    ).map((table) => [table, sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number]),
  )

/**
 * Tables, columns, indexes and triggers. Columns are compared without their order: ALTER TABLE adds them at the end.
 */
export function readSchemaShape(sqlite: Database.Database): string[] {
  const objects = sqlite
    .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`)
    .all() as { type: string; name: string; tbl_name: string; sql: string | null }[]
  const columnsOf = sqlite.prepare(
    `SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY name`,
  )
  const keysOf = sqlite.prepare(
    `SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"`,
  )
  return objects
    .flatMap(({ type, name, tbl_name, sql }) =>
      type === 'table' || type === 'view'
        ? [...columnsOf.all(name), ...keysOf.all(name)].map((part) => `${type} ${name} ${JSON.stringify(part)}`)
        : [`${type} ${name} on ${tbl_name}: ${sql?.replace(/\s+/g, ' ')}`],
    )
    .toSorted()
}

/**
 * Reads both a database of one of the earlier versions and a migrated one: what is hidden stands in `held` in the former, and content
 * of db/content.ts in its own tables in the latter.
 */
export function takeInventory(db: Db): Inventory {
  const sqlite = sqliteOf(db)
  const lines = (statement: string) => (sqlite.prepare(statement).pluck().all() as string[]).toSorted()
  const snapshots = lines('SELECT snapshot FROM held')
  const photosIn = (text: string) => text.match(/\/photos\/[\w.-]+/g) ?? []
  const bell = sqlite
    .prepare(
      `SELECT n.id, n.user_id, n.type, n.title, n.content, n.dog_id, n.is_read, n.created_at, n.link, p.alias, d.name AS dog
       FROM notifications AS n LEFT JOIN profiles AS p ON p.id = n.actor_id LEFT JOIN dogs AS d ON d.id = n.dog_id`,
    )
    .all() as { content: string; alias: string | null; dog: string | null }[]
  return {
    paths: [
      ...lines(`SELECT breed_slug || '/' || slug || ' ' || coalesce(dog_id, 'gone') FROM dog_paths`),
      ...lines(`SELECT path_breed || '/' || path_slug || ' hidden ' || thing_id FROM held WHERE path_slug IS NOT NULL`),
    ],
    photos: [...new Set([...lines('SELECT url FROM dog_images'), ...snapshots.flatMap(photosIn)])].toSorted(),
    hidden: [
      ...lines(`SELECT kind || ' ' || thing_id || ' ' || cause FROM held`),
      ...listHiddenContent(sqlite),
    ].toSorted(),
    hiddenRows: [...readSnapshotRows(snapshots), ...readMovedRows(sqlite)].toSorted(),
    notifications: bell
      .map(({ alias, dog, content, ...line }) => `${fillInNames(content, { alias, dog })} ${JSON.stringify(line)}`)
      .toSorted(),
  }
}

const has = (sqlite: Database.Database, table: string) =>
  sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined

function listHiddenContent(sqlite: Database.Database): string[] {
  if (!has(sqlite, 'comments_all')) return has(sqlite, 'breed_opinions') ? listWithdrawnOpinions(sqlite) : []
  const tables = [
    ['comment', 'comments_all'],
    ['comment', 'held_comments'],
    ['opinion', 'breed_opinions_all'],
    ['profile', 'profiles_all'],
  ] as const
  return tables.flatMap(([kind, table]) =>
    (sqlite.prepare(`SELECT id, hidden FROM ${table} WHERE hidden > 0`).all() as { id: string; hidden: number }[]).map(
      ({ id, hidden }) => `${kind} ${id} ${mainCause(hidden)}`,
    ),
  )
}

const listWithdrawnOpinions = (sqlite: Database.Database) =>
  sqlite
    .prepare(`SELECT 'opinion ' || id || ' deletion' FROM breed_opinions WHERE is_withdrawn = 1`)
    .pluck()
    .all() as string[]

type Row = { id: string; user_id: string }
const lineOf = (dogId: string, { id, user_id }: Row) => `${dogId} ${id} ${user_id}`

/** 62beae7 keeps them in the snapshot of their dog. */
const readSnapshotRows = (snapshots: readonly string[]): string[] =>
  snapshots
    .map((text) => JSON.parse(text) as { dog?: { id: string }; comments?: Row[]; likes?: Row[] })
    .flatMap(({ dog, comments = [], likes = [] }) => [...comments, ...likes].map((row) => lineOf(dog!.id, row)))

function readMovedRows(sqlite: Database.Database): string[] {
  if (!has(sqlite, 'held_comments')) return []
  const hiddenAlone = has(sqlite, 'comments_all') ? 'WHERE hidden = 0' : ''
  const rows = sqlite
    .prepare(
      `SELECT id, user_id, dog_id FROM held_comments ${hiddenAlone} UNION ALL SELECT id, user_id, dog_id FROM held_likes`,
    )
    .all() as (Row & { dog_id: string })[]
  return rows.map((row) => lineOf(row.dog_id, row))
}
