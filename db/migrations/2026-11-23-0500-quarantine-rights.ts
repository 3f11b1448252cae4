import { type Kysely, sql } from 'kysely'

/**
 * What a request asks about a quarantined item before anybody reads it: who may see it, the claim token's hash and its photos. The
 * columns stand before `snapshot`: SQLite reads a row from its beginning, and a snapshot has megabytes.
 */
const STATEMENTS = [
  `CREATE TABLE held_rebuilt (
    kind TEXT NOT NULL, thing_id TEXT NOT NULL, dog_id TEXT,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, other_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    owner_id TEXT REFERENCES users (id) ON DELETE SET NULL, discoverer_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    uploader_id TEXT REFERENCES users (id) ON DELETE SET NULL, claim_hash TEXT,
    path_breed TEXT, path_slug TEXT, idempotency_key TEXT, cause TEXT NOT NULL, created_at INTEGER NOT NULL,
    snapshot TEXT NOT NULL, PRIMARY KEY (kind, thing_id)) WITHOUT ROWID`,
  `INSERT INTO held_rebuilt (kind, thing_id, dog_id, user_id, other_id, path_breed, path_slug, idempotency_key, cause, created_at,
    snapshot, owner_id, discoverer_id, uploader_id, claim_hash)
    SELECT kind, thing_id, dog_id, user_id, other_id, path_breed, path_slug, idempotency_key, cause, created_at, snapshot,
      (SELECT id FROM users WHERE kind = 'dog' AND id = json_extract(snapshot, '$.dog.owner_id')),
      (SELECT id FROM users WHERE kind = 'dog' AND id = json_extract(snapshot, '$.dog.discoverer_id')),
      (SELECT id FROM users WHERE kind = 'dog' AND id = json_extract(snapshot, '$.dog.user_id')),
      CASE kind WHEN 'dog' THEN json_extract(snapshot, '$.claims[0].token_hash') END
    FROM held`,
  `DROP TABLE held`,
  `ALTER TABLE held_rebuilt RENAME TO held`,
  `CREATE INDEX held_user ON held (user_id, created_at)`,
  `CREATE INDEX held_other ON held (other_id, created_at)`,
  `CREATE INDEX held_owner ON held (owner_id) WHERE owner_id IS NOT NULL`,
  `CREATE INDEX held_discoverer ON held (discoverer_id) WHERE discoverer_id IS NOT NULL`,
  `CREATE INDEX held_uploader ON held (uploader_id) WHERE uploader_id IS NOT NULL`,
  `CREATE INDEX held_dog ON held (dog_id, kind)`,
  `CREATE INDEX held_path ON held (path_breed, path_slug) WHERE path_slug IS NOT NULL`,
  `CREATE INDEX held_key ON held (idempotency_key) WHERE idempotency_key IS NOT NULL`,

  `CREATE TABLE held_photos (
    kind TEXT NOT NULL, thing_id TEXT NOT NULL, url TEXT NOT NULL, PRIMARY KEY (kind, thing_id, url),
    FOREIGN KEY (kind, thing_id) REFERENCES held (kind, thing_id) ON DELETE CASCADE) WITHOUT ROWID`,
  `CREATE INDEX held_photos_url ON held_photos (url)`,
  `INSERT INTO held_photos (kind, thing_id, url)
    SELECT kind, thing_id, json_extract(snapshot, '$.image.url') FROM held WHERE kind = 'photo'
    UNION SELECT kind, thing_id, json_extract(snapshot, '$.dog.photo_url') FROM held WHERE kind = 'dog'
    UNION SELECT held.kind, held.thing_id, json_extract(image.value, '$.url')
      FROM held, json_each(held.snapshot, '$.images') AS image WHERE held.kind = 'dog'`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
