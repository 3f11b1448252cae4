import { type Kysely, sql } from 'kysely'

/** Weekly mails about unread notifications: when each member's was sent, who has unsubscribed, and the progress of a week's run. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE digests (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    is_off INTEGER NOT NULL DEFAULT 0,
    week INTEGER,
    sent_at INTEGER) WITHOUT ROWID`.execute(db)
  await sql`CREATE TABLE digest_runs (
    week INTEGER PRIMARY KEY,
    cursor TEXT NOT NULL DEFAULT '',
    done INTEGER NOT NULL DEFAULT 0)`.execute(db)
}
