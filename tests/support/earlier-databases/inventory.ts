import type Database from 'better-sqlite3'
import type { Trx as Db } from '#db/client.ts'
import { sqliteOf } from '#db/client.ts'
import { CONTENT, mainCause } from '#db/content.ts'
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
  /** What members whose accounts wait for their deletion liked, asked for and were of dogs. */
  leaving: string[]
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
 * Reads both a database of one of the earlier versions and a migrated one: what is hidden stands in `held` in the former, and with a column
 * (db/content.ts) in its own table in the latter.
 */
export function takeInventory(db: Db): Inventory {
  const sqlite = sqliteOf(db)
  const lines = (statement: string) => (sqlite.prepare(statement).pluck().all() as string[]).toSorted()
  const isEarlier = has(sqlite, 'held')
  const snapshots = isEarlier ? lines('SELECT snapshot FROM held') : []
  const photosIn = (text: string) => text.match(/\/photos\/[\w.-]+/g) ?? []
  const bell = sqlite
    .prepare(
      `SELECT n.id, n.user_id, n.type, n.title, n.content, n.dog_id, n.is_read, n.created_at, n.link, p.alias, d.name AS dog
       FROM notifications AS n LEFT JOIN profiles AS p ON p.id = n.actor_id LEFT JOIN dogs AS d ON d.id = n.dog_id
       ${has(sqlite, 'account_deletions') ? OF_PRESENT : ''}`,
    )
    .all() as { content: string; alias: string | null; dog: string | null }[]
  return {
    paths: isEarlier
      ? [
          ...lines(`SELECT breed_slug || '/' || slug || ' ' || coalesce(dog_id, 'gone') FROM dog_paths AS p
            WHERE NOT EXISTS (SELECT 1 FROM held AS h WHERE ${ofHeldDog} )`),
          ...lines(
            `SELECT p.breed_slug || '/' || p.slug || ' hidden ' || h.thing_id FROM dog_paths AS p JOIN held AS h ON ${ofHeldDog}`,
          ),
        ].toSorted()
      : lines(`SELECT p.breed_slug || '/' || slug || iif(d.hidden > 0, ' hidden ', ' ') || coalesce(dog_id, 'gone')
          FROM dog_paths AS p LEFT JOIN dogs_all AS d ON d.id = dog_id`),
    photos: [
      ...new Set([
        ...lines(`SELECT url FROM ${isEarlier ? 'dog_images' : 'dog_images_all'}`),
        ...snapshots.flatMap(photosIn),
      ]),
    ].toSorted(),
    hidden: (isEarlier ? listHeld(sqlite) : listHiddenContent(sqlite)).toSorted(),
    hiddenRows: (isEarlier
      ? [...readSnapshotRows(snapshots), ...readMovedRows(sqlite)]
      : readRowsOfHiddenDogs(sqlite)
    ).toSorted(),
    leaving: lines(
      has(sqlite, 'left_roles') ? OF_LEAVING : has(sqlite, 'withdrawn_rows') ? WITHDRAWN : 'SELECT 1 WHERE 0',
    ),
    notifications: bell
      .map(({ alias, dog, content, ...line }) => `${fillInNames(content, { alias, dog })} ${JSON.stringify(line)}`)
      .toSorted(),
  }
}

/** What leaving members did is in nobody's bell. */
const OF_PRESENT = `WHERE coalesce(n.actor_id, '') NOT IN
  (SELECT user_id FROM account_deletions UNION SELECT user_id FROM account_erasures)`
const WITHDRAWN = `SELECT kind || ' ' || dog_id || ' ' || user_id FROM withdrawn_rows`
const OF_LEAVING = `SELECT 'like ' || dog_id || ' ' || user_id FROM dog_likes_all WHERE hidden & 8
  UNION ALL SELECT 'request ' || dog_id || ' ' || user_id FROM ownership_requests_all WHERE hidden & 8
  UNION ALL SELECT role || ' ' || dog_id || ' ' || user_id FROM left_roles`

/** The dog's snapshot names the address. */
const ofHeldDog = `h.kind = 'dog' AND EXISTS (SELECT 1 FROM json_each(h.snapshot, '$.paths') AS own
  WHERE own.value ->> 'breed_slug' = p.breed_slug AND own.value ->> 'slug' = p.slug)`

const has = (sqlite: Database.Database, table: string) =>
  sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined

const listHeld = (sqlite: Database.Database): string[] => [
  ...(sqlite
    .prepare(
      `SELECT kind || ' ' || coalesce(snapshot ->> '$.image.url', thing_id) || ' ' || replace(cause, 'anonymous', 'words') FROM held`,
    )
    .pluck()
    .all() as string[]),
  ...(has(sqlite, 'breed_opinions') ? listMarked(sqlite) : []),
]

/** Hidden by columns of their own. */
const listMarked = (sqlite: Database.Database) =>
  sqlite
    .prepare(
      `SELECT 'opinion ' || id || ' deletion' FROM breed_opinions WHERE is_withdrawn = 1
      UNION ALL SELECT 'sighting ' || id || iif(is_reported, ' reports', ' words') FROM sightings WHERE state = 'review'
      UNION ALL SELECT 'found ' || id || ' words' FROM found_notices WHERE state = 'review'`,
    )
    .pluck()
    .all() as string[]

const listHiddenContent = (sqlite: Database.Database): string[] =>
  Object.entries(CONTENT).flatMap(([kind, { table, key }]) =>
    (
      sqlite.prepare(`SELECT ${key} AS id, hidden FROM ${table} WHERE hidden > 0`).all() as {
        id: string
        hidden: number
      }[]
    ).map(({ id, hidden }) => `${kind} ${id} ${mainCause(hidden)}`),
  )

type Row = { id: string; user_id: string }
const lineOf = (dogId: string, { id, user_id }: Row) => `${dogId} ${id} ${user_id}`

/** 62beae7 keeps them in the snapshot of their dog. */
const readSnapshotRows = (snapshots: readonly string[]): string[] =>
  snapshots
    .map((text) => JSON.parse(text) as { dog?: { id: string }; comments?: Row[]; likes?: Row[] })
    .flatMap(({ dog, comments = [], likes = [] }) => [...comments, ...likes].map((row) => lineOf(dog!.id, row)))

const readMovedRows = (sqlite: Database.Database): string[] =>
  has(sqlite, 'held_comments') ? readRows(sqlite, 'SELECT * FROM held_comments', 'SELECT * FROM held_likes') : []

const readRowsOfHiddenDogs = (sqlite: Database.Database): string[] =>
  readRows(
    sqlite,
    ...['comments_all', 'dog_likes_all'].map(
      (table) =>
        `SELECT r.id, r.user_id, r.dog_id FROM ${table} AS r JOIN dogs_all AS d ON d.id = r.dog_id WHERE d.hidden > 0
        ${table === 'comments_all' ? 'AND r.hidden = 0' : ''}`,
    ),
  )

const readRows = (sqlite: Database.Database, ...statements: string[]): string[] =>
  statements
    .flatMap((statement) => sqlite.prepare(statement).all() as (Row & { dog_id: string })[])
    .map((row) => lineOf(row.dog_id, row))
