import { type Kysely, sql } from 'kysely'

/**
 * Counts for sorting and display, maintained by triggers in the writer's own transaction.
 *
 * This is the one exception to «one feature writes a table»: dogs, likes, comments and profiles all change these counts. Triggers are
 * SQLite's dialect; on PostgreSQL the same statements become trigger functions.
 *
 * A member's dogs are those of which they are owner or discoverer; a dog of which they are both counts once (UNION).
 */
const TABLES = [
  `CREATE TABLE member_dogs (
    user_id TEXT NOT NULL, dog_id TEXT NOT NULL, breed_slug TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, dog_id)) WITHOUT ROWID`,
  `CREATE INDEX member_dogs_list ON member_dogs (user_id, created_at, dog_id)`,
  `CREATE INDEX member_dogs_breed ON member_dogs (user_id, breed_slug, created_at, dog_id)`,
  `CREATE TABLE member_breeds (
    user_id TEXT NOT NULL, breed_slug TEXT NOT NULL, dogs INTEGER NOT NULL, PRIMARY KEY (user_id, breed_slug)) WITHOUT ROWID`,
  `CREATE TABLE dog_tallies (
    breed_slug TEXT NOT NULL, size TEXT NOT NULL, dogs INTEGER NOT NULL, likes INTEGER NOT NULL,
    PRIMARY KEY (breed_slug, size)) WITHOUT ROWID`,
  `CREATE TABLE dog_day_tallies (
    day INTEGER NOT NULL, breed_slug TEXT NOT NULL, size TEXT NOT NULL, dogs INTEGER NOT NULL,
    PRIMARY KEY (day, breed_slug, size)) WITHOUT ROWID`,
  `CREATE TABLE totals (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID`,
  `INSERT INTO totals VALUES ('profiles', 0)`,
]

const addTallies = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO dog_tallies VALUES (${row}.breed_slug, coalesce(${row}.size, ''), ${by}, ${by} * ${row}.votes)
    ON CONFLICT (breed_slug, size) DO UPDATE SET dogs = dogs + ${by}, likes = likes + excluded.likes;
  INSERT INTO dog_day_tallies VALUES (${row}.day, ${row}.breed_slug, coalesce(${row}.size, ''), ${by})
    ON CONFLICT (day, breed_slug, size) DO UPDATE SET dogs = dogs + ${by};`

const addMembers = `
  INSERT INTO member_dogs SELECT u, new.id, new.breed_slug, new.created_at
    FROM (SELECT new.owner_id AS u UNION SELECT new.discoverer_id) WHERE u IS NOT NULL;`
const removeMembers = `
  DELETE FROM member_dogs WHERE dog_id = old.id AND user_id IN (old.owner_id, old.discoverer_id);`

const TRIGGERS = [
  `CREATE TRIGGER dogs_added AFTER INSERT ON dogs BEGIN ${addTallies('new', 1)} ${addMembers} END`,
  `CREATE TRIGGER dogs_removed AFTER DELETE ON dogs BEGIN ${addTallies('old', -1)} ${removeMembers} END`,
  `CREATE TRIGGER dogs_regrouped AFTER UPDATE OF breed_slug, size ON dogs
    WHEN old.breed_slug IS NOT new.breed_slug OR old.size IS NOT new.size
    BEGIN ${addTallies('old', -1)} ${addTallies('new', 1)} END`,
  `CREATE TRIGGER dogs_rehomed AFTER UPDATE OF breed_slug, owner_id, discoverer_id ON dogs
    WHEN old.breed_slug IS NOT new.breed_slug OR old.owner_id IS NOT new.owner_id OR old.discoverer_id IS NOT new.discoverer_id
    BEGIN ${removeMembers} ${addMembers} END`,
  `CREATE TRIGGER dogs_voted AFTER UPDATE OF votes ON dogs BEGIN
    UPDATE dog_tallies SET likes = likes + new.votes - old.votes
      WHERE breed_slug = new.breed_slug AND size = coalesce(new.size, ''); END`,

  `CREATE TRIGGER member_dogs_added AFTER INSERT ON member_dogs BEGIN
    UPDATE profiles SET dogs_count = dogs_count + 1 WHERE id = new.user_id;
    INSERT INTO member_breeds VALUES (new.user_id, new.breed_slug, 1)
      ON CONFLICT (user_id, breed_slug) DO UPDATE SET dogs = dogs + 1; END`,
  `CREATE TRIGGER member_dogs_removed AFTER DELETE ON member_dogs BEGIN
    UPDATE profiles SET dogs_count = dogs_count - 1 WHERE id = old.user_id;
    UPDATE member_breeds SET dogs = dogs - 1 WHERE user_id = old.user_id AND breed_slug = old.breed_slug; END`,
  `CREATE TRIGGER member_breeds_added AFTER INSERT ON member_breeds BEGIN
    UPDATE profiles SET breeds_count = breeds_count + 1 WHERE id = new.user_id; END`,
  `CREATE TRIGGER member_breeds_emptied AFTER UPDATE OF dogs ON member_breeds WHEN new.dogs = 0 BEGIN
    DELETE FROM member_breeds WHERE user_id = new.user_id AND breed_slug = new.breed_slug;
    UPDATE profiles SET breeds_count = breeds_count - 1 WHERE id = new.user_id; END`,

  `CREATE TRIGGER dog_likes_added AFTER INSERT ON dog_likes BEGIN
    UPDATE dogs SET votes = votes + 1 WHERE id = new.dog_id;
    UPDATE profiles SET likes_count = likes_count + 1 WHERE id = new.user_id; END`,
  `CREATE TRIGGER dog_likes_removed AFTER DELETE ON dog_likes BEGIN
    UPDATE dogs SET votes = votes - 1 WHERE id = old.dog_id;
    UPDATE profiles SET likes_count = likes_count - 1 WHERE id = old.user_id; END`,

  `CREATE TRIGGER comments_added AFTER INSERT ON comments BEGIN
    UPDATE dogs SET comments_count = comments_count + 1 WHERE id = new.dog_id; END`,
  `CREATE TRIGGER comments_removed AFTER DELETE ON comments BEGIN
    UPDATE dogs SET comments_count = comments_count - 1 WHERE id = old.dog_id; END`,

  // A profile may be inserted after its first dog or like (an account from a provider): its counts start from the rows.
  `CREATE TRIGGER profiles_added AFTER INSERT ON profiles BEGIN
    UPDATE totals SET value = value + 1 WHERE name = 'profiles';
    UPDATE profiles SET
      dogs_count = (SELECT count(*) FROM member_dogs WHERE user_id = new.id),
      breeds_count = (SELECT count(*) FROM member_breeds WHERE user_id = new.id),
      likes_count = (SELECT count(*) FROM dog_likes WHERE user_id = new.id)
      WHERE id = new.id; END`,
  `CREATE TRIGGER profiles_removed AFTER DELETE ON profiles BEGIN
    UPDATE totals SET value = value - 1 WHERE name = 'profiles'; END`,
]

export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of [...TABLES, ...TRIGGERS]) await sql.raw(statement).execute(db)
}
