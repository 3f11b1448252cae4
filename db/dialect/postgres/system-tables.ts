// The tables of notifications, moderation and the system, like those of tables.ts.

const notifications = [
  `CREATE TABLE notifications (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
    dog_id TEXT REFERENCES dogs (id) ON DELETE CASCADE, is_read INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
    actor_id TEXT REFERENCES users (id) ON DELETE SET NULL, link TEXT, likes_since INTEGER NOT NULL DEFAULT 0,
    named_id TEXT REFERENCES users (id) ON DELETE SET NULL, target_kind TEXT, target_id TEXT, target_dog_id TEXT)`,
  `CREATE INDEX notifications_user ON notifications (user_id, created_at, id)`,
  `CREATE INDEX notifications_dog ON notifications (dog_id)`,
  `CREATE INDEX notifications_actor ON notifications (actor_id, created_at) WHERE actor_id IS NOT NULL`,
  `CREATE INDEX notifications_unread ON notifications (user_id) WHERE is_read = 0`,
  `CREATE UNIQUE INDEX notifications_likes ON notifications (user_id, dog_id) WHERE type = 'like'`,
  `CREATE INDEX notifications_named ON notifications (named_id) WHERE named_id IS NOT NULL`,
  `CREATE INDEX notifications_target ON notifications (target_id) WHERE target_id IS NOT NULL`,
  `CREATE INDEX notifications_target_dog ON notifications (target_dog_id) WHERE target_dog_id IS NOT NULL`,

  `CREATE TABLE detached_lines (
    notification_id TEXT PRIMARY KEY REFERENCES notifications (id) ON DELETE CASCADE, dog_id TEXT NOT NULL)`,
  `CREATE INDEX detached_lines_dog ON detached_lines (dog_id)`,

  `CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE, endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL, auth TEXT NOT NULL, refusals INTEGER NOT NULL DEFAULT 0,
    rest_until INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL)`,
  `CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id, created_at)`,

  `CREATE TABLE notice_settings (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, likes INTEGER NOT NULL, comments INTEGER NOT NULL,
    others INTEGER NOT NULL, quiet_from INTEGER, quiet_to INTEGER, time_zone TEXT NOT NULL)`,

  `CREATE TABLE push_queue (
    subscription_id TEXT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, held INTEGER NOT NULL DEFAULT 0,
    queued_at INTEGER NOT NULL, PRIMARY KEY (subscription_id, notification_id))`,
  `CREATE INDEX push_queue_due ON push_queue (due_at)`,
  `CREATE INDEX push_queue_notification ON push_queue (notification_id)`,

  `CREATE TABLE digests (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, token TEXT NOT NULL UNIQUE,
    is_off INTEGER NOT NULL DEFAULT 0, week INTEGER, sent_at INTEGER)`,
  `CREATE TABLE digest_runs (
    week INTEGER PRIMARY KEY, cursor TEXT NOT NULL DEFAULT '', done INTEGER NOT NULL DEFAULT 0)`,
]

const moderation = [
  `CREATE TABLE reports (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, thing_id TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, reason TEXT NOT NULL, words TEXT NOT NULL, origin TEXT,
    counts INTEGER NOT NULL, created_at INTEGER NOT NULL, closed_at INTEGER)`,
  `CREATE UNIQUE INDEX reports_open ON reports (kind, thing_id, user_id) WHERE closed_at IS NULL`,
  `CREATE INDEX reports_thing ON reports (kind, thing_id, created_at, id)`,
  `CREATE INDEX reports_user ON reports (user_id, created_at, id)`,
  `CREATE TABLE report_keys (day INTEGER PRIMARY KEY, key TEXT NOT NULL)`,

  `CREATE TABLE cases (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, thing_id TEXT NOT NULL, cause TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, dog_id TEXT, reports INTEGER NOT NULL DEFAULT 0,
    open INTEGER NOT NULL DEFAULT 1, created_at INTEGER NOT NULL, latest_at INTEGER NOT NULL,
    edited_at INTEGER NOT NULL DEFAULT 0, UNIQUE (kind, thing_id))`,
  `CREATE INDEX cases_newest ON cases (open, latest_at, id)`,
  `CREATE INDEX cases_most ON cases (open, reports, id)`,
  `CREATE INDEX cases_user ON cases (user_id)`,

  `CREATE TABLE decisions (
    id TEXT PRIMARY KEY, case_id TEXT REFERENCES cases (id) ON DELETE SET NULL, kind TEXT NOT NULL,
    thing_id TEXT NOT NULL, what TEXT NOT NULL, deed TEXT NOT NULL, admin_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    reason TEXT NOT NULL, until INTEGER, created_at INTEGER NOT NULL)`,
  `CREATE INDEX decisions_newest ON decisions (created_at, id)`,
  `CREATE INDEX decisions_case ON decisions (case_id, created_at, id)`,
  `CREATE INDEX decisions_admin ON decisions (admin_id)`,

  `CREATE TABLE decision_people (
    decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, appeal TEXT, appeal_at INTEGER,
    created_at INTEGER NOT NULL, PRIMARY KEY (decision_id, user_id))`,
  `CREATE INDEX decision_people_user ON decision_people (user_id, created_at, decision_id)`,

  `CREATE TABLE held (
    kind TEXT NOT NULL, thing_id TEXT NOT NULL, dog_id TEXT,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, other_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    owner_id TEXT REFERENCES users (id) ON DELETE SET NULL, discoverer_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    uploader_id TEXT REFERENCES users (id) ON DELETE SET NULL, claim_hash TEXT, path_breed TEXT, path_slug TEXT,
    idempotency_key TEXT, cause TEXT NOT NULL, created_at INTEGER NOT NULL, snapshot TEXT NOT NULL,
    PRIMARY KEY (kind, thing_id))`,
  `CREATE INDEX held_user ON held (user_id, created_at)`,
  `CREATE INDEX held_other ON held (other_id, created_at)`,
  `CREATE INDEX held_owner ON held (owner_id) WHERE owner_id IS NOT NULL`,
  `CREATE INDEX held_discoverer ON held (discoverer_id) WHERE discoverer_id IS NOT NULL`,
  `CREATE INDEX held_uploader ON held (uploader_id) WHERE uploader_id IS NOT NULL`,
  `CREATE INDEX held_dog ON held (dog_id, kind)`,
  `CREATE INDEX held_path ON held (path_breed, path_slug) WHERE path_slug IS NOT NULL`,
  `CREATE INDEX held_key ON held (idempotency_key) WHERE idempotency_key IS NOT NULL`,
  `CREATE INDEX held_alias ON held (kind, (snapshot::jsonb ->> 'alias_key') COLLATE "C") WHERE kind = 'profile'`,

  `CREATE TABLE held_photos (
    kind TEXT NOT NULL, thing_id TEXT NOT NULL, url TEXT NOT NULL, PRIMARY KEY (kind, thing_id, url),
    FOREIGN KEY (kind, thing_id) REFERENCES held (kind, thing_id) ON DELETE CASCADE)`,
  `CREATE INDEX held_photos_url ON held_photos (url)`,

  `CREATE TABLE held_comments (
    id TEXT PRIMARY KEY, dog_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    content TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  `CREATE INDEX held_comments_dog ON held_comments (dog_id)`,
  `CREATE INDEX held_comments_user ON held_comments (user_id, created_at, id)`,
  `CREATE TABLE held_likes (
    id TEXT PRIMARY KEY, dog_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, UNIQUE (dog_id, user_id))`,
  `CREATE INDEX held_likes_user ON held_likes (user_id, created_at, id)`,
  `CREATE TABLE held_requests (
    dog_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, declined_at INTEGER, PRIMARY KEY (dog_id, user_id))`,
  `CREATE INDEX held_requests_user ON held_requests (user_id)`,

  `CREATE TABLE bans (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, until INTEGER, reason TEXT NOT NULL,
    created_at INTEGER NOT NULL)`,
  `CREATE TABLE ban_digests (digest TEXT PRIMARY KEY, until INTEGER NOT NULL)`,
  `CREATE INDEX ban_digests_until ON ban_digests (until)`,
  `CREATE TABLE ban_keys (id INTEGER PRIMARY KEY, key TEXT NOT NULL)`,

  `CREATE TABLE blocks (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    blocked_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, created_at INTEGER NOT NULL,
    notifications_pending INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (user_id, blocked_id))`,
  `CREATE INDEX blocks_blocked ON blocks (blocked_id, user_id)`,
  `CREATE INDEX blocks_pending ON blocks (user_id) WHERE notifications_pending = 1`,
]

/** The text at `path` of an event's JSON; an event is a few hundred bytes. */
const inData = (...path: string[]) => `(data::jsonb #>> '{${path.join(',')}}')`

const system = [
  `CREATE TABLE geocodes (
    key TEXT PRIMARY KEY, lon REAL, lat REAL, place_name TEXT, created_at INTEGER NOT NULL)`,
  `CREATE INDEX geocodes_age ON geocodes (created_at)`,
  `CREATE TABLE daily_budgets (name TEXT PRIMARY KEY, used INTEGER NOT NULL, since INTEGER NOT NULL)`,
  `CREATE TABLE breed_overrides (
    id TEXT PRIMARY KEY, breed_slug TEXT NOT NULL, changes TEXT NOT NULL, before TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, created_at INTEGER NOT NULL, undone_at INTEGER)`,
  `CREATE INDEX breed_overrides_breed ON breed_overrides (breed_slug, created_at, id)`,
  `CREATE INDEX breed_overrides_user ON breed_overrides (user_id)`,

  // Stored, not virtual: PostgreSQL has virtual columns from version 18 on, and no index on them.
  `CREATE TABLE events (
    id INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, type TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE, data TEXT NOT NULL, created_at INTEGER NOT NULL,
    thing_id TEXT GENERATED ALWAYS AS (coalesce(${inData('id')}, ${inData('notification', 'id')})) STORED,
    dog_id TEXT GENERATED ALWAYS AS (CASE type WHEN 'dog' THEN ${inData('id')}
      WHEN 'notification' THEN ${inData('notification', 'dog_id')} ELSE ${inData('dog_id')} END) STORED,
    author_id TEXT GENERATED ALWAYS AS (${inData('comment', 'user_id')}) STORED)`,
  `CREATE INDEX events_user ON events (user_id) WHERE user_id IS NOT NULL`,
  `CREATE INDEX events_thing ON events (thing_id) WHERE thing_id IS NOT NULL`,
  `CREATE INDEX events_dog ON events (dog_id, type) WHERE dog_id IS NOT NULL`,
  `CREATE INDEX events_author ON events (author_id) WHERE author_id IS NOT NULL`,
]

export const systemTables: readonly string[] = [...notifications, ...moderation, ...system]
