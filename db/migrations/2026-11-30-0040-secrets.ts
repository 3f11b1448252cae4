import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { dialectOf } from '../dialect/dialect.ts'

const ROWS_PER_PAGE = 500

const asStored = (hash: string) => hash
const ofBase64 = (hash: string) => Buffer.from(hash, 'base64url').toString('hex')
const ofSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Where each kind was, and how its hash comes from what was stored. */
const SOURCES: readonly [kind: string, hash: (stored: string) => string, rows: string][] = [
  ['album-link', ofBase64, `SELECT token_hash AS stored, user_id, created_at FROM album_links`],
  [
    'year-link',
    asStored,
    // A year is seen until the end of the next one: from 1970 to 2100 a leap year in four.
    `SELECT token_hash AS stored, user_id, CAST(year AS TEXT) AS about, created_at,
      ((year + 2 - 1970) * 365 + (year + 2 - 1969) / 4) * 86400000 - 3600000 AS expires_at FROM year_links`,
  ],
  ['recovery-code', asStored, `SELECT code_hash AS stored, user_id, used_at, created_at FROM recovery_codes`],
  ['dog-claim', ofBase64, `SELECT token_hash AS stored, dog_id, created_at FROM dog_claims`],
  [
    'undo-deletion',
    asStored,
    `SELECT undo_hash AS stored, user_id, requested_at AS created_at FROM account_deletions WHERE undo_hash IS NOT NULL`,
  ],
  ['digest-mails', ofSecret, `SELECT token AS stored, user_id, coalesce(sent_at, 0) AS created_at FROM digests`],
  ['lost-mails', ofSecret, `SELECT mail_token AS stored, user_id, created_at FROM lost_alert_settings`],
  [
    'message-mails',
    ofSecret,
    `SELECT token AS stored, side || ' ' || thread_id AS about, created_at + 31536000000 AS expires_at, created_at FROM contact_mails`,
  ],
  [
    'message-address',
    asStored,
    `SELECT confirm_hash AS stored, side || ' ' || thread_id AS about, confirm_until AS expires_at, created_at
      FROM contact_mails WHERE confirm_hash IS NOT NULL`,
  ],
]

const GONE_TABLES = ['album_links', 'year_links', 'recovery_codes', 'dog_claims', 'passkey_challenges']
const GONE_COLUMNS: Record<string, readonly string[]> = {
  account_deletions: ['undo_hash'],
  contact_mails: ['confirm_hash', 'token'],
  digests: ['token'],
  // Since a change of address is undone by the link of its alert.
  email_changes: ['undo_hash'],
  lost_alert_settings: ['mail_token'],
}

/** What grants access by itself is in one table, of which the hash alone is stored. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('secrets')
    .addColumn('hash', text, (c) => c.primaryKey().notNull())
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('user_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('dog_id', text, (c) => c.references('dogs_all.id').onDelete('cascade'))
    .addColumn('about', text, (c) => c.notNull().defaultTo(''))
    .addColumn('expires_at', integer)
    .addColumn('used_at', integer)
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  for (const columns of [['user_id', 'kind'], ['dog_id'], ['about', 'kind'], ['expires_at']])
    await db.schema.createIndex(`secrets_${columns[0]}`).on('secrets').columns(columns).execute()
  for (const [kind, hash, rows] of SOURCES) await copy(db, kind, hash, rows)
  for (const table of GONE_TABLES) await db.schema.dropTable(table).execute()
  for (const [table, columns] of Object.entries(GONE_COLUMNS)) await dropColumns(db, table, columns)
}

async function copy(db: Kysely<any>, kind: string, hash: (stored: string) => string, source: string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const { rows } = await sql<{ stored: string }>`SELECT * FROM (${sql.raw(source)}) AS s
      WHERE stored > ${after} ORDER BY stored LIMIT ${ROWS_PER_PAGE}`.execute(db)
    const secrets = rows.map(({ stored, ...row }) => ({ ...row, kind, hash: hash(stored) }))
    if (secrets.length > 0)
      await db
        .insertInto('secrets')
        .values(secrets)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    after = rows.at(-1)?.stored
  }
}

/** SQLite drops no column that is unique: the table is written anew by its own definition, without them. */
async function dropColumns(db: Kysely<any>, table: string, columns: readonly string[]): Promise<void> {
  if (dialectOf(db) === 'postgres') {
    for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute()
    return
  }
  const run = (statement: string) => sql.raw(statement).execute(db)
  const { rows } = await sql<{ sql: string }>`SELECT sql FROM sqlite_schema
    WHERE tbl_name = ${table} AND sql IS NOT NULL ORDER BY type = 'table' DESC`.execute(db)
  const [definition, ...others] = rows.map((row) => row.sql)
  await run(`CREATE TABLE copied AS SELECT * FROM ${table}`)
  await run(`DROP TABLE ${table}`)
  await run(columns.reduce((words, column) => words.replace(new RegExp(`"?\\b${column}\\b"? [^,]*,`), ''), definition!))
  const kept = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(db)
  const names = kept.rows.map(({ name }) => name).join()
  await run(`INSERT INTO ${table} (${names}) SELECT ${names} FROM copied`)
  await run(`DROP TABLE copied`)
  for (const statement of others) await run(statement)
}
