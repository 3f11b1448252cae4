import { type Kysely, sql } from 'kysely'

/**
 * Reports, decisions, bans and blocks.
 *
 * `held` contains quarantined content as JSON. The rows themselves are deleted from their tables, so that no list, count or search has to
 * know about quarantine, and the triggers of the counts see a removal. No foreign key references quarantined content.
 */
const STATEMENTS = [
  `CREATE TABLE reports (
    id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, thing_id TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    reason TEXT NOT NULL, words TEXT NOT NULL, origin TEXT, counts INTEGER NOT NULL,
    created_at INTEGER NOT NULL, closed_at INTEGER)`,
  // One open report per member and target; also the index for a target's open reports.
  `CREATE UNIQUE INDEX reports_open ON reports (kind, thing_id, user_id) WHERE closed_at IS NULL`,
  `CREATE INDEX reports_thing ON reports (kind, thing_id, created_at, id)`,
  `CREATE INDEX reports_user ON reports (user_id, created_at, id)`,
  `CREATE TABLE report_keys (day INTEGER PRIMARY KEY NOT NULL, key TEXT NOT NULL)`,

  `CREATE TABLE cases (
    id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, thing_id TEXT NOT NULL, cause TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, dog_id TEXT,
    reports INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL, latest_at INTEGER NOT NULL, UNIQUE (kind, thing_id))`,
  `CREATE INDEX cases_newest ON cases (open, latest_at, id)`,
  `CREATE INDEX cases_most ON cases (open, reports, id)`,
  `CREATE INDEX cases_user ON cases (user_id)`,

  `CREATE TABLE decisions (
    id TEXT PRIMARY KEY NOT NULL, case_id TEXT REFERENCES cases (id) ON DELETE SET NULL,
    kind TEXT NOT NULL, thing_id TEXT NOT NULL, what TEXT NOT NULL,
    deed TEXT NOT NULL, admin_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    reason TEXT NOT NULL, until INTEGER, created_at INTEGER NOT NULL)`,
  `CREATE INDEX decisions_newest ON decisions (created_at, id)`,
  `CREATE INDEX decisions_case ON decisions (case_id, created_at, id)`,
  `CREATE INDEX decisions_admin ON decisions (admin_id)`,
  // The members that a decision concerns: both members of a dog are notified, and each may appeal once.
  `CREATE TABLE decision_people (
    decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    appeal TEXT, appeal_at INTEGER, created_at INTEGER NOT NULL,
    PRIMARY KEY (decision_id, user_id)) WITHOUT ROWID`,
  `CREATE INDEX decision_people_user ON decision_people (user_id, created_at, decision_id)`,

  `CREATE TABLE held (
    kind TEXT NOT NULL, thing_id TEXT NOT NULL, dog_id TEXT,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, other_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    path_breed TEXT, path_slug TEXT, idempotency_key TEXT, cause TEXT NOT NULL, snapshot TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (kind, thing_id)) WITHOUT ROWID`,
  `CREATE INDEX held_user ON held (user_id, created_at)`,
  `CREATE INDEX held_other ON held (other_id, created_at)`,
  `CREATE INDEX held_dog ON held (dog_id, kind)`,
  `CREATE INDEX held_path ON held (path_breed, path_slug) WHERE path_slug IS NOT NULL`,
  `CREATE INDEX held_key ON held (idempotency_key) WHERE idempotency_key IS NOT NULL`,

  `CREATE TABLE bans (
    user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    until INTEGER, reason TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID`,

  `CREATE TABLE blocks (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    blocked_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, PRIMARY KEY (user_id, blocked_id)) WITHOUT ROWID`,
  `CREATE INDEX blocks_blocked ON blocks (blocked_id, user_id)`,
  // Notifications that link to something else than a dog.
  `ALTER TABLE notifications ADD COLUMN link TEXT`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
