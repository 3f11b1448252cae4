import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { dialectOf } from '../dialect/dialect.ts'

/** How triggers enqueue, and what is there already begins again. */
const enqueue = (topic: string, key: string, at: string) =>
  `INSERT INTO jobs (topic, key, run_at, queued_at) SELECT '${topic}', ${key}, ${at}, ${at}`
const again = `ON CONFLICT (topic, key) DO UPDATE
    SET queued_at = excluded.queued_at, run_at = excluded.run_at, cursor = '', version = jobs.version + 1;`

/** What triggers said, and what they say. */
const REPLACED: readonly [from: RegExp, to: string][] = [
  [
    /INSERT INTO dog_arrivals \(dog_id, queued_at\) SELECT new\.id, new\.updated_at/,
    enqueue('breed-alerts', 'new.id', 'new.updated_at'),
  ],
  [/ON CONFLICT \(dog_id\) DO UPDATE SET queued_at = excluded\.queued_at;/, again],
  [/DELETE FROM dog_arrivals WHERE dog_id = old\.id;/, ''],
  [/DELETE FROM follow_alerts WHERE dog_id = old\.id;/, ''],
  [
    /INSERT INTO lost_alert_queue \(case_id, queued_at\) VALUES \(new\.id, new\.opened_at\) ON CONFLICT \(case_id\) DO NOTHING;/,
    `${enqueue('lost-alerts', 'new.id', 'new.opened_at')} WHERE true ${again}`,
  ],
  [
    /INSERT INTO lost_alert_ends \(case_id\) VALUES \(old\.id\) ON CONFLICT \(case_id\) DO NOTHING;/,
    `${enqueue('lost-alert-ends', 'old.id', '0')} WHERE true ${again}`,
  ],
]

/** The rows of the queues from before, as jobs; the last run of what returns is one that never ends. */
const MOVED = [
  `SELECT 'follow-alerts', dog_id || ' ' || kind || ' ' || target_id, CASE WHEN kind = 'member' THEN target_id END, 'null', position, created_at, created_at FROM follow_alerts`,
  `SELECT 'breed-alerts', dog_id, NULL, 'null', '', queued_at, queued_at FROM dog_arrivals`,
  `SELECT 'lost-alerts', case_id, NULL, 'null', CASE WHEN after_cell = '' THEN '' ELSE after_cell || ' ' || after_user END, queued_at, queued_at FROM lost_alert_queue`,
  `SELECT 'lost-alert-ends', case_id, NULL, 'null', '', 0, 0 FROM lost_alert_ends`,
  `SELECT 'lost-mails', case_id || ' ' || user_id, user_id, 'null', '', due_at, queued_at FROM lost_alert_mails`,
  `SELECT 'homecomings', dog_id || ' ' || user_id, user_id, CASE is_thanked WHEN 1 THEN '{"thanks":true}' ELSE '{"thanks":false}' END, '', queued_at, queued_at FROM lost_homecomings`,
  `SELECT 'digests', 'always', NULL, 'null', week || ' ' || CASE done WHEN 1 THEN '~' ELSE cursor END, 0, 0
    FROM digest_runs WHERE week = (SELECT max(week) FROM digest_runs)`,
  `SELECT 'memories', 'always', NULL, 'null', day || ' ' || CASE done WHEN 1 THEN 'done' ELSE cursor_at || ' ' || cursor_id END, 0, 0
    FROM memory_runs WHERE day = (SELECT max(day) FROM memory_runs)`,
  `SELECT 'message-mails', side || ' ' || thread_id, NULL, 'null', '', due_at, due_at FROM contact_mails WHERE due_at IS NOT NULL`,
]
const QUEUES = [
  'follow_alerts',
  'dog_arrivals',
  'lost_alert_queue',
  'lost_alert_ends',
  'lost_alert_mails',
  'lost_homecomings',
  'digest_runs',
  'memory_runs',
]

/** What is still to be done waits in one table, whatever it is. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('jobs')
    .addColumn('topic', text, (c) => c.notNull())
    .addColumn('key', text, (c) => c.notNull())
    .addColumn('user_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('payload', text, (c) => c.notNull().defaultTo('null'))
    .addColumn('cursor', text, (c) => c.notNull().defaultTo(''))
    .addColumn('run_at', integer, (c) => c.notNull())
    .addColumn('queued_at', integer, (c) => c.notNull())
    .addColumn('tries', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('error', text)
    .addColumn('version', integer, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('jobs_primary', ['topic', 'key'])
    .execute()
  await db.schema.createIndex('jobs_due').on('jobs').columns(['topic', 'run_at', 'key']).execute()
  await db.schema.createIndex('jobs_user').on('jobs').column('user_id').execute()
  await rewriteTriggers(db)
  for (const rows of MOVED)
    await sql.raw(`INSERT INTO jobs (topic, key, user_id, payload, cursor, run_at, queued_at) ${rows}`).execute(db)
  for (const table of QUEUES) await db.schema.dropTable(table).execute()
  await db.schema.dropIndex('contact_mails_due').execute()
  await db.schema.alterTable('contact_mails').dropColumn('due_at').execute()
}

const rewrite = (text: string) => REPLACED.reduce((result, [from, to]) => result.replace(from, to), text)

async function rewriteTriggers(db: Kysely<any>): Promise<void> {
  const isSqlite = dialectOf(db) === 'sqlite'
  const { rows } = await (
    isSqlite
      ? sql<{
          name: string
          definition: string
        }>`SELECT name, sql AS definition FROM sqlite_schema WHERE type = 'trigger'`
      : sql<{
          name: string
          definition: string
        }>`SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'`
  ).execute(db)
  for (const { name, definition } of rows) {
    const changed = rewrite(definition)
    if (changed === definition) continue
    if (isSqlite) await sql.raw(`DROP TRIGGER ${name}`).execute(db)
    await sql.raw(changed).execute(db)
  }
}
