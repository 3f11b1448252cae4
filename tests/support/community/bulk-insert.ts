/** Many rows at once: without triggers and indexes, which are made again afterwards as they were. */
import type { Sqlite } from '#db/client.ts'
import { listNameWords } from '#lib/text/search-key.ts'

/** Writes with `work`; then computes what triggers and the writers of names would have written on the way. What fails halfway leaves a broken file. */
export function insertInBulk(sqlite: Sqlite, work: () => void): void {
  const made = sqlite
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL")
    .all() as { type: string; name: string; sql: string }[]
  const settings = ['cache_size', 'foreign_keys', 'journal_mode', 'synchronous']
  const before = settings.map((name) => [name, sqlite.pragma(name, { simple: true })])
  // Much in memory, since keys come in no order. Rows name only rows that are written, too.
  for (const setting of ['cache_size = -1000000', 'foreign_keys = OFF', 'journal_mode = OFF', 'synchronous = OFF'])
    sqlite.pragma(setting)
  sqlite.transaction(() => {
    for (const { type, name } of made) sqlite.exec(`DROP ${type} "${name}"`)
    work()
    recountDerived(sqlite)
    for (const { sql } of made) sqlite.exec(sql)
  })()
  for (const [name, value] of before) sqlite.pragma(`${name} = ${value}`)
}

/** Writes the search's words of all names (`listNameWords`). */
function writeWords(sqlite: Sqlite, table: string, names: string): void {
  const insert = sqlite.prepare(`INSERT INTO ${table} (place, plain, low, id) VALUES (?, ?, ?, ?)`)
  for (const { id, name } of sqlite.prepare(names).all() as { id: string; name: string }[])
    for (const { place, plain, low } of listNameWords(name)) insert.run(place, plain, low, id)
}

/** Computes every column and table that the database maintains (db/schema.ts) from the rows. */
function recountDerived(sqlite: Sqlite): void {
  sqlite.exec(`
    CREATE TEMP TABLE likes_got AS SELECT dog_id AS id, count(*) AS n FROM dog_likes GROUP BY dog_id;
    CREATE TEMP TABLE comments_got AS SELECT dog_id AS id, count(*) AS n FROM comments GROUP BY dog_id;
    CREATE TEMP TABLE likes_given AS SELECT user_id AS id, count(*) AS n FROM dog_likes GROUP BY user_id;
    UPDATE dogs_all SET votes = n FROM likes_got l WHERE l.id = dogs_all.id;
    UPDATE dogs_all SET comments_count = n FROM comments_got c WHERE c.id = dogs_all.id;
    DELETE FROM dog_tallies; DELETE FROM dog_day_tallies; DELETE FROM member_dogs; DELETE FROM member_breeds;
    DELETE FROM ranking_dogs; DELETE FROM ranking_likes; DELETE FROM like_hour_tallies;
    DELETE FROM province_breeds;
    INSERT INTO dog_tallies SELECT breed_slug, coalesce(size, ''), count(*), sum(votes) FROM dogs GROUP BY 1, 2;
    INSERT INTO dog_day_tallies SELECT day, breed_slug, coalesce(size, ''), count(*) FROM dogs GROUP BY 1, 2, 3;
    INSERT INTO like_hour_tallies SELECT created_at / 3600000, count(*) FROM dog_likes GROUP BY 1;
    INSERT INTO province_breeds
      SELECT province, breed_slug, count(*) FROM dogs WHERE coalesce(province, '') <> '' GROUP BY 1, 2
      UNION ALL SELECT 'ES', breed_slug, count(*) FROM dogs WHERE coalesce(province, '') <> '' GROUP BY 2;
    INSERT INTO member_dogs SELECT u, id, breed_slug, created_at FROM (
      SELECT owner_id AS u, id, breed_slug, created_at FROM dogs WHERE owner_id IS NOT NULL
      UNION SELECT discoverer_id, id, breed_slug, created_at FROM dogs WHERE discoverer_id IS NOT NULL) ORDER BY 1, 2;
    INSERT INTO member_breeds SELECT user_id, breed_slug, count(*) FROM member_dogs GROUP BY 1, 2;
    CREATE TEMP TABLE dogs_had AS SELECT user_id AS id, sum(dogs) AS n, count(*) AS breeds FROM member_breeds GROUP BY 1;
    UPDATE profiles_all SET dogs_count = d.n, breeds_count = d.breeds FROM dogs_had d WHERE d.id = profiles_all.id;
    UPDATE profiles_all SET likes_count = n FROM likes_given g WHERE g.id = profiles_all.id;
    UPDATE totals SET value = (SELECT count(*) FROM profiles) WHERE name = 'profiles';
    INSERT INTO ranking_dogs SELECT dogs_count, count(*) FROM profiles GROUP BY 1;
    INSERT INTO ranking_likes SELECT dogs_count, likes_count, count(*) FROM profiles GROUP BY 1, 2;
    DROP TABLE likes_got; DROP TABLE comments_got; DROP TABLE likes_given; DROP TABLE dogs_had;
    DELETE FROM dog_words; DELETE FROM member_words;`)
  writeWords(sqlite, 'dog_words', 'SELECT id, name FROM dogs')
  writeWords(sqlite, 'member_words', 'SELECT id, alias AS name FROM profiles')
}
