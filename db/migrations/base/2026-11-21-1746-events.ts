import { type Kysely, sql } from 'kysely'

/**
 * Events in order, for the streams of /api/events. AUTOINCREMENT, because an id that a browser has seen must never be used again, also
 * after old rows were deleted.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    data TEXT NOT NULL,
    created_at INTEGER NOT NULL)`.execute(db)
  await sql`CREATE INDEX events_user ON events (user_id) WHERE user_id IS NOT NULL`.execute(db)

  // The member whose action a notification reports. Likes of one dog are one notification.
  await sql`ALTER TABLE notifications ADD COLUMN actor_id TEXT REFERENCES users (id) ON DELETE SET NULL`.execute(db)
  await sql`CREATE INDEX notifications_actor ON notifications (actor_id) WHERE actor_id IS NOT NULL`.execute(db)
  await sql`CREATE INDEX notifications_unread ON notifications (user_id) WHERE is_read = 0`.execute(db)
  await sql`CREATE UNIQUE INDEX notifications_likes ON notifications (user_id, dog_id) WHERE type = 'like'`.execute(db)
}
