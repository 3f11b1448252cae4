// The tables of accounts, dogs and counts, as the migrations up to `LAST_BASELINE_MIGRATION` left them in SQLite. Column
// types are SQLite's; `toPostgresTypes` (../column-types.ts) replaces them.

const accounts = [
  `CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT UNIQUE, created_at INTEGER NOT NULL)`,

  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL, created_at INTEGER NOT NULL DEFAULT 0, device TEXT, public_id TEXT,
    proved_at INTEGER NOT NULL DEFAULT 0)`,
  `CREATE INDEX sessions_user ON sessions (user_id)`,
  `CREATE INDEX sessions_expiry ON sessions (expires_at)`,
  `CREATE UNIQUE INDEX sessions_public_id ON sessions (public_id)`,

  `CREATE TABLE sign_in_tokens (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE, code_hash TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, expires_at INTEGER NOT NULL, used_at INTEGER, created_at INTEGER NOT NULL,
    mailbox TEXT, device TEXT, purpose TEXT NOT NULL DEFAULT 'enter', device_tries INTEGER NOT NULL DEFAULT 0)`,
  `CREATE INDEX sign_in_tokens_email ON sign_in_tokens (email, created_at)`,
  `CREATE INDEX sign_in_tokens_expiry ON sign_in_tokens (expires_at)`,
  `CREATE INDEX sign_in_tokens_mailbox ON sign_in_tokens (mailbox, created_at)`,

  `CREATE TABLE sign_in_devices (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, used_at INTEGER NOT NULL)`,
  `CREATE INDEX sign_in_devices_user ON sign_in_devices (user_id, used_at)`,
  `CREATE INDEX sign_in_devices_age ON sign_in_devices (used_at)`,

  `CREATE TABLE oauth_accounts (
    provider TEXT NOT NULL, provider_user_id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, created_at INTEGER NOT NULL,
    PRIMARY KEY (provider, provider_user_id))`,
  `CREATE INDEX oauth_accounts_user ON oauth_accounts (user_id)`,

  `CREATE TABLE account_erasures (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, dogs TEXT NOT NULL, created_at INTEGER NOT NULL)`,

  `CREATE TABLE profiles (
    id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, alias TEXT NOT NULL, alias_key TEXT NOT NULL UNIQUE,
    emoji TEXT NOT NULL, verified INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
    dogs_count INTEGER NOT NULL DEFAULT 0, breeds_count INTEGER NOT NULL DEFAULT 0, likes_count INTEGER NOT NULL DEFAULT 0)`,
  `CREATE INDEX profiles_ranking ON profiles (dogs_count, likes_count, id)`,
  `CREATE INDEX profiles_created ON profiles (created_at, id)`,
]

/** An index of the list for each filter and sort; weights sort as whole kilograms, as `wholeNumber` (../expressions.ts) says them. */
const listIndexes = ['', 'breed', 'size', 'breed_size'].flatMap((filter) => {
  const columns = filter.split('_').filter(Boolean)
  const filters = columns.map((column) => (column === 'breed' ? 'breed_slug' : column))
  const sorts = {
    created: 'created_at',
    votes: 'votes',
    weight: 'weight',
    kilograms: 'trunc(weight)',
    age: 'age_months',
  }
  return Object.entries(sorts).map(
    ([sort, expression]) =>
      `CREATE INDEX ${['dogs', ...columns, sort].join('_')} ON dogs (${[...filters, expression, 'id'].join(', ')})`,
  )
})

const dogs = [
  `CREATE TABLE dogs (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, breed TEXT NOT NULL, breed_slug TEXT NOT NULL,
    age INTEGER, age_unit TEXT, age_months INTEGER, weight REAL, zone TEXT, is_adopted INTEGER NOT NULL DEFAULT 0,
    description TEXT, size TEXT, photo_url TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE SET NULL, owner_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    discoverer_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, day INTEGER NOT NULL,
    votes INTEGER NOT NULL DEFAULT 0, comments_count INTEGER NOT NULL DEFAULT 0,
    path_breed TEXT NOT NULL, path_slug TEXT NOT NULL, province TEXT)`,
  ...listIndexes,
  ...['user_id', 'owner_id', 'discoverer_id'].map(
    (column) => `CREATE INDEX dogs_${column} ON dogs (${column}, created_at, id)`,
  ),
  `CREATE INDEX dogs_path_slug ON dogs (path_slug, id)`,
  `CREATE INDEX dogs_updated ON dogs (updated_at)`,
  `CREATE INDEX dogs_sitemap ON dogs (substr(id, 1, 2), updated_at)`,
  `CREATE INDEX dogs_province_created ON dogs (province, created_at, id)`,
  `CREATE INDEX dogs_breed_province_created ON dogs (breed_slug, province, created_at, id)`,
  `CREATE INDEX dogs_unplaced ON dogs (id) WHERE province IS NULL`,

  `CREATE TABLE dog_paths (
    breed_slug TEXT NOT NULL, slug TEXT NOT NULL, dog_id TEXT REFERENCES dogs (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (breed_slug, slug))`,
  `CREATE INDEX dog_paths_dog ON dog_paths (dog_id)`,

  `CREATE TABLE dog_images (
    dog_id TEXT NOT NULL REFERENCES dogs (id) ON DELETE CASCADE, url TEXT NOT NULL UNIQUE, "order" INTEGER NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, blur TEXT, alt TEXT, PRIMARY KEY (dog_id, "order"))`,
  `CREATE INDEX dog_images_unblurred ON dog_images (dog_id) WHERE blur IS NULL`,

  `CREATE TABLE photo_moves (name TEXT PRIMARY KEY, action TEXT NOT NULL, due_at INTEGER NOT NULL)`,

  `CREATE TABLE dog_claims (
    dog_id TEXT PRIMARY KEY REFERENCES dogs (id) ON DELETE CASCADE, token_hash TEXT NOT NULL, created_at INTEGER NOT NULL)`,

  `CREATE TABLE ownership_requests (
    dog_id TEXT NOT NULL REFERENCES dogs (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL, declined_at INTEGER, PRIMARY KEY (dog_id, user_id))`,
  `CREATE INDEX ownership_requests_open ON ownership_requests (dog_id, declined_at, created_at, user_id)`,
  `CREATE INDEX ownership_requests_user ON ownership_requests (user_id)`,

  `CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY, dog_id TEXT NOT NULL REFERENCES dogs (id) ON DELETE CASCADE, created_at INTEGER NOT NULL)`,
  `CREATE INDEX idempotency_keys_dog ON idempotency_keys (dog_id)`,
  `CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at)`,

  `CREATE TABLE dog_likes (
    id TEXT PRIMARY KEY, dog_id TEXT NOT NULL REFERENCES dogs (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, created_at INTEGER NOT NULL,
    CONSTRAINT dog_likes_once UNIQUE (dog_id, user_id))`,
  `CREATE INDEX dog_likes_dog ON dog_likes (dog_id, created_at, id)`,
  `CREATE INDEX dog_likes_user ON dog_likes (user_id, created_at, id)`,

  `CREATE TABLE comments (
    id TEXT PRIMARY KEY, dog_id TEXT NOT NULL REFERENCES dogs (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, content TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  `CREATE INDEX comments_dog ON comments (dog_id, created_at, id)`,
  `CREATE INDEX comments_user ON comments (user_id, created_at, id)`,
]

const counts = [
  `CREATE TABLE member_dogs (
    user_id TEXT NOT NULL, dog_id TEXT NOT NULL, breed_slug TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, dog_id))`,
  `CREATE INDEX member_dogs_list ON member_dogs (user_id, created_at, dog_id)`,
  `CREATE INDEX member_dogs_breed ON member_dogs (user_id, breed_slug, created_at, dog_id)`,
  `CREATE INDEX member_dogs_sitemap ON member_dogs (substr(user_id, 1, 2), created_at)`,
  `CREATE TABLE member_breeds (
    user_id TEXT NOT NULL, breed_slug TEXT NOT NULL, dogs INTEGER NOT NULL, PRIMARY KEY (user_id, breed_slug))`,
  `CREATE TABLE dog_tallies (
    breed_slug TEXT NOT NULL, size TEXT NOT NULL, dogs INTEGER NOT NULL, likes INTEGER NOT NULL,
    PRIMARY KEY (breed_slug, size))`,
  `CREATE TABLE dog_day_tallies (
    day INTEGER NOT NULL, breed_slug TEXT NOT NULL, size TEXT NOT NULL, dogs INTEGER NOT NULL,
    PRIMARY KEY (day, breed_slug, size))`,
  `CREATE TABLE like_hour_tallies (hour INTEGER PRIMARY KEY, likes INTEGER NOT NULL)`,
  `CREATE TABLE totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL)`,
  `INSERT INTO totals VALUES ('profiles', 0)`,
  `CREATE TABLE ranking_dogs (dogs INTEGER PRIMARY KEY, members INTEGER NOT NULL)`,
  `CREATE TABLE ranking_likes (
    dogs INTEGER NOT NULL, likes INTEGER NOT NULL, members INTEGER NOT NULL, PRIMARY KEY (dogs, likes))`,
]

const search = ['dog', 'member'].flatMap((kind) => [
  `CREATE TABLE ${kind}_words (
      place INTEGER NOT NULL, plain TEXT NOT NULL, low TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (place, plain, low, id))`,
  `CREATE INDEX ${kind}_words_low ON ${kind}_words (place, low, id)`,
  `CREATE INDEX ${kind}_words_of ON ${kind}_words (id, place, plain)`,
])

export const communityTables: readonly string[] = [...accounts, ...dogs, ...counts, ...search]
