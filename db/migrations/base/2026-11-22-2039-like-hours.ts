import { type Kysely, sql } from 'kysely'

/**
 * Likes per hour, maintained by triggers: «likes nuevos» of a day is the sum of at most 25 rows. Hours of UTC, because SQLite has no time
 * zones and every Madrid day begins at a whole hour. `hour` counts from 1970. The time of a like never changes.
 */
const HOUR = 3_600_000

const add = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO like_hour_tallies VALUES (${row}.created_at / ${HOUR}, ${by})
    ON CONFLICT (hour) DO UPDATE SET likes = likes + ${by};`

const STATEMENTS = [
  `CREATE TABLE like_hour_tallies (hour INTEGER PRIMARY KEY NOT NULL, likes INTEGER NOT NULL)`,
  `INSERT INTO like_hour_tallies SELECT created_at / ${HOUR}, count(*) FROM dog_likes GROUP BY 1`,
  `CREATE TRIGGER like_hours_added AFTER INSERT ON dog_likes BEGIN ${add('new', 1)} END`,
  `CREATE TRIGGER like_hours_removed AFTER DELETE ON dog_likes BEGIN ${add('old', -1)} END`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
