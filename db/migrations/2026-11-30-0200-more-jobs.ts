import { type Kysely, sql } from 'kysely'
import { dialectOf } from '../dialect/dialect.ts'

/** What triggers say, and what they are to say. */
const REPLACED: readonly [from: RegExp, to: string][] = [
  [
    /INSERT INTO badge_queue \(user_id, priority, version\)\s+SELECT u, 0, 1 FROM/g,
    `INSERT INTO jobs (topic, key, user_id, run_at, queued_at) SELECT 'badges', u, u, 0, 0 FROM`,
  ],
  [
    /WHERE u IS NOT NULL\s+ON CONFLICT \(user_id\) DO UPDATE SET priority = 0, version = badge_queue\.version \+ 1;/g,
    // Not of an account that is being deleted.
    'WHERE u IN (SELECT id FROM users) ON CONFLICT (topic, key) DO UPDATE SET run_at = 0, version = jobs.version + 1;',
  ],
]

/** The queues from before as jobs, and what rows from before their columns lack. Members whose dogs have changed go first. */
const JOBS = [
  `SELECT 'badges', user_id, user_id, 'null', priority FROM badge_queue WHERE user_id IN (SELECT id FROM users)`,
  `SELECT 'photo-files', name, NULL, '"' || action || '"', due_at FROM photo_moves`,
  `SELECT 'provinces', 'all', NULL, 'null', 0 WHERE EXISTS (SELECT 1 FROM dogs_all WHERE province IS NULL)`,
  `SELECT 'blurs', 'all', NULL, 'null', 0 WHERE EXISTS (SELECT 1 FROM dog_images_all WHERE blur IS NULL)`,
]

/** Badges, photo files and columns of old rows are left to jobs. */
export async function up(db: Kysely<any>): Promise<void> {
  const isSqlite = dialectOf(db) === 'sqlite'
  const { rows } = await sql
    .raw<{ name: string; definition: string }>(
      isSqlite
        ? `SELECT name, sql AS definition FROM sqlite_schema WHERE type = 'trigger'`
        : `SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
            WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'`,
    )
    .execute(db)
  for (const { name, definition } of rows.filter((row) => row.definition.includes('badge_queue'))) {
    if (isSqlite) await sql.raw(`DROP TRIGGER ${name}`).execute(db)
    await sql.raw(REPLACED.reduce((text, [from, to]) => text.replace(from, to), definition)).execute(db)
  }
  for (const jobs of JOBS)
    await sql
      .raw(`INSERT INTO jobs (topic, key, user_id, payload, run_at, queued_at) SELECT q.*, 0 FROM (${jobs}) AS q`)
      .execute(db)
  for (const table of ['badge_queue', 'photo_moves']) await db.schema.dropTable(table).execute()
}
