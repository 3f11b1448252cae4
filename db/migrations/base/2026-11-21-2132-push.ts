import { type Kysely, sql } from 'kysely'

/**
 * Push messages: subscribed devices, members' preferences, and the queue. A subscription is deleted with the session in which it was
 * made, so signing out ends it.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    refusals INTEGER NOT NULL DEFAULT 0,
    rest_until INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL)`.execute(db)
  await sql`CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at)`.execute(db)

  await sql`CREATE TABLE notice_settings (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    likes INTEGER NOT NULL,
    comments INTEGER NOT NULL,
    others INTEGER NOT NULL,
    quiet_from INTEGER,
    quiet_to INTEGER,
    time_zone TEXT NOT NULL) WITHOUT ROWID`.execute(db)

  await sql`CREATE TABLE push_queue (
    subscription_id TEXT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0,
    queued_at INTEGER NOT NULL,
    PRIMARY KEY (subscription_id, notification_id)) WITHOUT ROWID`.execute(db)
  await sql`CREATE INDEX push_queue_due ON push_queue (due_at)`.execute(db)
  await sql`CREATE INDEX push_queue_notification ON push_queue (notification_id)`.execute(db)
}
