import { type Kysely, sql } from 'kysely'

/**
 * Comments, likes and requests of quarantined dogs, as rows of their own: they move by SQL in bounded batches, and a member's are found
 * by an index. They were in the dog's snapshot. No foreign key references the dog: rows move before it is hidden and after it is restored.
 */
const STATEMENTS = [
  `CREATE TABLE held_comments (
    id TEXT PRIMARY KEY NOT NULL, dog_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    content TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  `CREATE INDEX held_comments_dog ON held_comments (dog_id)`,
  `CREATE INDEX held_comments_user ON held_comments (user_id, created_at, id)`,
  `CREATE TABLE held_likes (
    id TEXT PRIMARY KEY NOT NULL, dog_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, UNIQUE (dog_id, user_id))`,
  `CREATE INDEX held_likes_user ON held_likes (user_id, created_at, id)`,
  `CREATE TABLE held_requests (
    dog_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, declined_at INTEGER, PRIMARY KEY (dog_id, user_id))`,
  `CREATE INDEX held_requests_user ON held_requests (user_id)`,

  `INSERT OR IGNORE INTO held_comments (id, dog_id, user_id, content, created_at)
    SELECT json_extract(row.value, '$.id'), held.thing_id, users.id, json_extract(row.value, '$.content'),
      json_extract(row.value, '$.created_at')
    FROM held, json_each(held.snapshot, '$.comments') AS row JOIN users ON users.id = json_extract(row.value, '$.user_id')
    WHERE held.kind = 'dog'`,
  `INSERT OR IGNORE INTO held_likes (id, dog_id, user_id, created_at)
    SELECT json_extract(row.value, '$.id'), held.thing_id, users.id, json_extract(row.value, '$.created_at')
    FROM held, json_each(held.snapshot, '$.likes') AS row JOIN users ON users.id = json_extract(row.value, '$.user_id')
    WHERE held.kind = 'dog'`,
  `INSERT OR IGNORE INTO held_requests (dog_id, user_id, created_at, declined_at)
    SELECT held.thing_id, users.id, json_extract(row.value, '$.created_at'), json_extract(row.value, '$.declined_at')
    FROM held, json_each(held.snapshot, '$.requests') AS row JOIN users ON users.id = json_extract(row.value, '$.user_id')
    WHERE held.kind = 'dog'`,
  `UPDATE held SET snapshot = json_remove(snapshot, '$.comments', '$.likes', '$.requests') WHERE kind = 'dog'`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
