import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { dialectOf } from '../dialect/dialect.ts'
import { createRowTrigger, type RowTrigger } from '../dialect/row-triggers.ts'

const RENAMED = ['dogs', 'dog_images', 'dog_likes', 'ownership_requests', 'notifications']
const WITH_COLUMN = ['dogs_all', 'dog_images_all', 'dog_likes_all', 'ownership_requests_all']
/** Indexes by which a member's dogs are found, hidden ones too. */
const OF_ALL_DOGS = ['dogs_user_id', 'dogs_owner_id', 'dogs_discoverer_id', 'dogs_unplaced']

const ofShownDog = (table: string) =>
  `EXISTS (SELECT 1 FROM dogs_all AS d WHERE d.id = ${table}.dog_id AND d.hidden = 0)`
const VIEWS = {
  dogs: 'hidden = 0',
  dog_images: 'hidden = 0',
  comments: `hidden = 0 AND ${ofShownDog('comments_all')}`,
  dog_likes: `hidden = 0 AND ${ofShownDog('dog_likes_all')}`,
  ownership_requests: `hidden = 0 AND ${ofShownDog('ownership_requests_all')}`,
  notifications: `dog_id IS NULL OR ${ofShownDog('notifications_all')}`,
}

type RowOf = 'new' | 'old'

const tally = (row: RowOf, by: 1 | -1) => `
  INSERT INTO dog_tallies (breed_slug, size, dogs, likes)
    VALUES (${row}.breed_slug, coalesce(${row}.size, ''), ${by}, ${by} * ${row}.votes)
    ON CONFLICT (breed_slug, size) DO UPDATE
    SET dogs = dog_tallies.dogs + excluded.dogs, likes = dog_tallies.likes + excluded.likes;
  INSERT INTO dog_day_tallies (day, breed_slug, size, dogs)
    VALUES (${row}.day, ${row}.breed_slug, coalesce(${row}.size, ''), ${by})
    ON CONFLICT (day, breed_slug, size) DO UPDATE SET dogs = dog_day_tallies.dogs + excluded.dogs;
  INSERT INTO province_breeds (province, breed_slug, dogs)
    SELECT place, ${row}.breed_slug, ${by} FROM (SELECT ${row}.province AS place UNION ALL SELECT 'ES') AS places
    WHERE coalesce(${row}.province, '') <> ''
    ON CONFLICT (province, breed_slug) DO UPDATE SET dogs = province_breeds.dogs + excluded.dogs;`

/** A dog in the counts and in its people's albums. */
const ADD = `${tally('new', 1)}
  INSERT INTO member_dogs SELECT u, new.id, new.breed_slug, new.created_at
    FROM (SELECT new.owner_id AS u UNION SELECT new.discoverer_id) AS members WHERE u IS NOT NULL;`
const REMOVE = `${tally('old', -1)}
  DELETE FROM member_dogs WHERE dog_id = old.id AND user_id IN (old.owner_id, old.discoverer_id);`

/** Only where somebody waits for a breed: by the index home_zones_alerts. */
const ARRIVE = `
  INSERT INTO dog_arrivals (dog_id, queued_at) SELECT new.id, new.updated_at
    WHERE coalesce(new.zone, '') <> '' AND EXISTS (SELECT 1 FROM home_zones WHERE alert_cell IS NOT NULL)
    ON CONFLICT (dog_id) DO UPDATE SET queued_at = excluded.queued_at;`

const nthOfBreed = (row: RowOf, place: number) =>
  `(SELECT id FROM dogs WHERE breed_slug = ${row}.breed_slug ORDER BY created_at, id LIMIT 1 OFFSET ${place})`
/** The people of the dog that a new one takes the first place of its breed from. */
const OVERTAKEN = `SELECT owner_id, discoverer_id FROM dogs
  WHERE id = ${nthOfBreed('new', 1)} AND new.id = ${nthOfBreed('new', 0)}`
/** The people of the dog that gets the first place of a breed from one that leaves it. */
const PROMOTED = `SELECT owner_id, discoverer_id FROM dogs
  WHERE id = ${nthOfBreed('old', 0)} AND (created_at > old.created_at OR created_at = old.created_at AND id > old.id)`
/** Queues the members of the row, and the people that the queries find, for their badges to be decided. */
const queueMembers = (rows: readonly RowOf[], queries: readonly string[]) => {
  const columns = ['owner_id', 'discoverer_id']
  const members = [
    ...rows.flatMap((row) => columns.map((column) => `SELECT ${row}.${column} AS u`)),
    ...queries.flatMap((query, i) =>
      columns.map((column) => `SELECT ${column} AS u FROM (${query}) AS q${i}${column[0]}`),
    ),
  ]
  return `INSERT INTO badge_queue (user_id, priority, version)
    SELECT u, 0, 1 FROM (${members.join(' UNION ')}) AS members WHERE u IS NOT NULL
    ON CONFLICT (user_id) DO UPDATE SET priority = 0, version = badge_queue.version + 1;`
}

const differs = (columns: readonly string[]) =>
  `new.hidden = 0 AND old.hidden = 0 AND (${columns.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(' OR ')})`
const COUNTED_COLUMNS = ['breed_slug', 'size', 'owner_id', 'discoverer_id', 'province']
const DECIDING_COLUMNS = [...COUNTED_COLUMNS, 'description', 'age_months', 'is_adopted']

/** What is lost with a dog's place in the lists, and is computed or written again when it has one. */
const FORGET = `
  DELETE FROM dog_words WHERE id = old.id;
  DELETE FROM dog_arrivals WHERE dog_id = old.id;
  DELETE FROM follow_alerts WHERE dog_id = old.id;
  DELETE FROM badges WHERE dog_id = old.id;
  DELETE FROM challenge_entries WHERE dog_id = old.id;
  DELETE FROM member_years WHERE first_dog_id = old.id;
  DELETE FROM member_years WHERE last_dog_id = old.id;
  DELETE FROM member_years WHERE liked_dog_id = old.id;`

/** Its giver and its hour count a like that is not hidden; its dog all but those of members who leave. */
const LEAVING = 8
const isCounted = (row: RowOf) => `CASE ${row}.hidden WHEN 0 THEN 1 ELSE 0 END`
const isVoted = (row: RowOf) => `CASE ${row}.hidden & ${LEAVING} WHEN 0 THEN 1 ELSE 0 END`
const likeTrigger = (
  name: string,
  event: string,
  row: RowOf,
  difference: (count: typeof isVoted) => string,
): RowTrigger => ({
  name: `dog_likes_${name}`,
  event: `${event} ON dog_likes_all`,
  body: `
    UPDATE dogs_all SET votes = votes + (${difference(isVoted)}) WHERE id = ${row}.dog_id AND (${difference(isVoted)}) <> 0;
    UPDATE profiles_all SET likes_count = likes_count + (${difference(isCounted)})
      WHERE id = ${row}.user_id AND (${difference(isCounted)}) <> 0;
    INSERT INTO like_hour_tallies (hour, likes)
      SELECT ${row}.created_at / 3600000, ${difference(isCounted)} WHERE (${difference(isCounted)}) <> 0
      ON CONFLICT (hour) DO UPDATE SET likes = like_hour_tallies.likes + excluded.likes;`,
})

const enter = `${ADD} ${ARRIVE} ${queueMembers(['new'], [OVERTAKEN])}`
const leave = `${REMOVE} ${FORGET} ${queueMembers(['old'], [PROMOTED])}`
const HIDDEN = 'UPDATE OF hidden ON dogs_all'

/** What is counted of dogs that are shown, and of the likes of these; what is queued, and forgotten, as they come and go. */
const TRIGGERS: readonly RowTrigger[] = [
  likeTrigger('added', 'INSERT', 'new', (count) => count('new')),
  likeTrigger('removed', 'DELETE', 'old', (count) => `-(${count('old')})`),
  likeTrigger('hidden', 'UPDATE OF hidden', 'new', (count) => `${count('new')} - (${count('old')})`),
  { name: 'dogs_added', event: 'INSERT ON dogs_all', when: 'new.hidden = 0', body: enter },
  {
    name: 'dogs_shown',
    event: HIDDEN,
    when: 'old.hidden <> 0 AND new.hidden = 0',
    body: enter,
  },
  { name: 'dogs_removed', event: 'DELETE ON dogs_all', when: 'old.hidden = 0', body: leave },
  {
    name: 'dogs_hidden',
    event: HIDDEN,
    when: 'old.hidden = 0 AND new.hidden <> 0',
    body: leave,
  },
  {
    name: 'dogs_regrouped',
    event: `UPDATE OF ${COUNTED_COLUMNS.join(', ')} ON dogs_all`,
    when: differs(COUNTED_COLUMNS),
    body: `${REMOVE} ${ADD}`,
  },
  {
    name: 'dogs_voted',
    event: 'UPDATE OF votes ON dogs_all',
    when: differs(['votes']),
    body: `UPDATE dog_tallies SET likes = likes + new.votes - old.votes
      WHERE breed_slug = new.breed_slug AND size = coalesce(new.size, '');`,
  },
  {
    name: 'badges_dog_changed',
    event: `UPDATE OF ${DECIDING_COLUMNS.join(', ')} ON dogs_all`,
    when: differs(DECIDING_COLUMNS),
    body: queueMembers(['new', 'old'], []),
  },
  {
    name: 'badges_dog_regrouped',
    event: 'UPDATE OF breed_slug ON dogs_all',
    when: differs(['breed_slug']),
    body: `DELETE FROM badges WHERE dog_id = new.id; DELETE FROM challenge_entries WHERE dog_id = new.id;
      ${queueMembers([], [OVERTAKEN, PROMOTED])}`,
  },
]

const GONE = {
  sqlite: ['added', 'removed', 'regrouped', 'rehomed', 'voted', 'unworded'],
  postgres: ['added', 'removed', 'rehomed', 'tallied', 'untallied', 'regrouped', 'voted', 'unworded'],
}
const OTHERS_GONE =
  'dog_likes_added dog_likes_removed province_breeds_added province_breeds_removed province_breeds_moved dog_arrivals_added badges_dog_added badges_dog_removed badges_dog_changed badges_dog_regrouped'.split(
    ' ',
  )

/** Functions of other triggers name the tables, which SQLite changes in them by itself. */
const renameInFunctions = sql.raw(`DO $$ DECLARE definition text; BEGIN
  FOR definition IN SELECT pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prosrc LIKE '%UPDATE dogs SET%'
  LOOP EXECUTE replace(definition, 'UPDATE dogs SET', 'UPDATE dogs_all SET');
  END LOOP;
END $$`)

/**
 * Dogs and their photos stay where they are while they are hidden, with all that is of them: their comments, likes and requests are shown by
 * the dog's state.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  const dialect = dialectOf(db)
  for (const name of [...GONE[dialect].map((each) => `dogs_${each}`), ...OTHERS_GONE])
    await sql.raw(dialect === 'sqlite' ? `DROP TRIGGER ${name}` : `DROP FUNCTION ${name} CASCADE`).execute(db)
  if (dialect === 'postgres')
    for (const name of ['like_hours_added', 'like_hours_removed'])
      await sql.raw(`DROP FUNCTION ${name} CASCADE`).execute(db)
  const ofProfiles = dialect === 'sqlite' ? await takeTrigger(db, 'profiles_added') : undefined
  await sql`DROP VIEW comments`.execute(db)
  for (const table of RENAMED) await db.schema.alterTable(table).renameTo(`${table}_all`).execute()
  for (const table of WITH_COLUMN)
    await db.schema
      .alterTable(table)
      .addColumn('hidden', integer, (c) => c.notNull().defaultTo(0))
      .execute()
  if (dialect === 'postgres') await renameInFunctions.execute(db)
  await narrowIndexes(db)
  for (const column of ['dog', 'user']) {
    await sql.raw(`DROP INDEX dog_likes_${column}`).execute(db)
    await sql
      .raw(`CREATE INDEX dog_likes_${column} ON dog_likes_all (${column}_id, created_at, id, hidden)`)
      .execute(db)
  }
  // What is of a dog that was hidden or shown, and does not follow it yet.
  await sql`CREATE INDEX dogs_away ON dogs_all (id) WHERE hidden <> 0`.execute(db)
  await sql`CREATE INDEX dog_likes_away ON dog_likes_all (dog_id) WHERE hidden <> 0`.execute(db)
  for (const [view, condition] of Object.entries(VIEWS))
    await sql.raw(`CREATE VIEW ${view} AS SELECT * FROM ${view}_all WHERE ${condition}`).execute(db)
  if (ofProfiles) await sql.raw(ofProfiles).execute(db)
  for (const trigger of TRIGGERS) await createRowTrigger(db, { ...trigger, isImmediate: true })
}

/** Drops a trigger that counts what is shown, which SQLite would rename tables in. @returns the statement that creates it */
async function takeTrigger(db: Kysely<any>, name: string): Promise<string> {
  const { rows } = await sql<{ sql: string }>`SELECT sql FROM sqlite_schema WHERE name = ${name}`.execute(db)
  await sql.raw(`DROP TRIGGER ${name}`).execute(db)
  return rows[0]!.sql
}

/** Lists read what is shown: their indexes hold nothing else. */
async function narrowIndexes(db: Kysely<any>): Promise<void> {
  const { rows } = await (
    dialectOf(db) === 'sqlite'
      ? sql<{ name: string; definition: string }>`SELECT name, sql AS definition FROM sqlite_schema
        WHERE type = 'index' AND tbl_name = 'dogs_all' AND sql IS NOT NULL`
      : sql<{ name: string; definition: string }>`SELECT indexname AS name, indexdef AS definition FROM pg_indexes
        WHERE schemaname = current_schema() AND tablename = 'dogs_all' AND indexdef NOT LIKE 'CREATE UNIQUE%'`
  ).execute(db)
  for (const { name, definition } of rows.filter((row) => !OF_ALL_DOGS.includes(row.name))) {
    await db.schema.dropIndex(name).execute()
    await sql.raw(`${definition} ${/ where /i.test(definition) ? 'AND' : 'WHERE'} hidden = 0`).execute(db)
  }
}
