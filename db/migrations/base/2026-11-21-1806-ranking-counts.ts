import { type Kysely, sql } from 'kysely'

/**
 * Members per number of dogs, and per number of likes among those with the same number of dogs. A member's rank is a sum over the few
 * counts above theirs, however many members there are. Maintained by triggers on the counts of `profiles`, which triggers maintain too
 * (the exception of the migration `counts`).
 *
 * A row may pass through -1 within one statement: SQLite promises no order between the triggers of a new profile (this one
 * and the one that sets its counts). Rows with 0 members are deleted.
 */
const TABLES = [
  `CREATE TABLE ranking_dogs (dogs INTEGER PRIMARY KEY NOT NULL, members INTEGER NOT NULL)`,
  `CREATE TABLE ranking_likes (
    dogs INTEGER NOT NULL, likes INTEGER NOT NULL, members INTEGER NOT NULL, PRIMARY KEY (dogs, likes)) WITHOUT ROWID`,
]

const FILL = [
  `INSERT INTO ranking_dogs SELECT dogs_count, count(*) FROM profiles GROUP BY dogs_count`,
  `INSERT INTO ranking_likes SELECT dogs_count, likes_count, count(*) FROM profiles GROUP BY dogs_count, likes_count`,
]

const byDogs = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO ranking_dogs VALUES (${row}.dogs_count, ${by})
    ON CONFLICT (dogs) DO UPDATE SET members = members + ${by};
  DELETE FROM ranking_dogs WHERE dogs = ${row}.dogs_count AND members = 0;`
const byLikes = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO ranking_likes VALUES (${row}.dogs_count, ${row}.likes_count, ${by})
    ON CONFLICT (dogs, likes) DO UPDATE SET members = members + ${by};
  DELETE FROM ranking_likes WHERE dogs = ${row}.dogs_count AND likes = ${row}.likes_count AND members = 0;`

const TRIGGERS = [
  `CREATE TRIGGER profiles_ranked AFTER INSERT ON profiles BEGIN ${byDogs('new', 1)} ${byLikes('new', 1)} END`,
  `CREATE TRIGGER profiles_unranked AFTER DELETE ON profiles BEGIN ${byDogs('old', -1)} ${byLikes('old', -1)} END`,
  `CREATE TRIGGER profiles_reranked_dogs AFTER UPDATE OF dogs_count ON profiles
    WHEN old.dogs_count IS NOT new.dogs_count
    BEGIN ${byDogs('old', -1)} ${byDogs('new', 1)} END`,
  `CREATE TRIGGER profiles_reranked_likes AFTER UPDATE OF dogs_count, likes_count ON profiles
    WHEN old.dogs_count IS NOT new.dogs_count OR old.likes_count IS NOT new.likes_count
    BEGIN ${byLikes('old', -1)} ${byLikes('new', 1)} END`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of [...TABLES, ...FILL, ...TRIGGERS]) await sql.raw(statement).execute(db)
}
