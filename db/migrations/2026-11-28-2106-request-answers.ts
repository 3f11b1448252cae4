import { type Kysely, sql } from 'kysely'
import { dialectOf } from '../dialect/dialect.ts'

/** Keys of any request with an answer, beside those of dogs. */
const REBUILD = [
  `CREATE TABLE idempotency_keys_rebuilt (
    key TEXT PRIMARY KEY NOT NULL, dog_id TEXT REFERENCES dogs (id) ON DELETE CASCADE, created_at INTEGER NOT NULL,
    fingerprint TEXT, answer TEXT)`,
  `INSERT INTO idempotency_keys_rebuilt (key, dog_id, created_at) SELECT key, dog_id, created_at FROM idempotency_keys`,
  `DROP TABLE idempotency_keys`,
  `ALTER TABLE idempotency_keys_rebuilt RENAME TO idempotency_keys`,
  `CREATE INDEX idempotency_keys_dog ON idempotency_keys (dog_id)`,
  `CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at)`,
]
const ALTER = [
  `ALTER TABLE idempotency_keys ALTER COLUMN dog_id DROP NOT NULL`,
  `ALTER TABLE idempotency_keys ADD COLUMN fingerprint text COLLATE "C", ADD COLUMN answer text COLLATE "C"`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of dialectOf(db) === 'postgres' ? ALTER : REBUILD) await sql.raw(statement).execute(db)
}
