import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { dialectOf } from '../dialect/dialect.ts'
import { createRowTrigger, type RowTrigger } from '../dialect/row-triggers.ts'

/** The bit of each cause for which a profile moved to `held`. */
const CAUSES: Record<string, number> = { words: 1, anonymous: 1, reports: 2, admin: 4, deletion: 8 }

const COUNTERS = ['added', 'removed', 'ranked', 'unranked', 'reranked_dogs', 'reranked_likes', 'unworded']
/** Adds `by` members to those with as many dogs, and with as many dogs and likes, as the row. */
const rank = (row: 'new' | 'old', by: string): string => `
  INSERT INTO ranking_dogs (dogs, members) VALUES (${row}.dogs_count, ${by})
    ON CONFLICT (dogs) DO UPDATE SET members = ranking_dogs.members + excluded.members;
  DELETE FROM ranking_dogs WHERE dogs = ${row}.dogs_count AND members = 0;
  INSERT INTO ranking_likes (dogs, likes, members) VALUES (${row}.dogs_count, ${row}.likes_count, ${by})
    ON CONFLICT (dogs, likes) DO UPDATE SET members = ranking_likes.members + excluded.members;
  DELETE FROM ranking_likes WHERE dogs = ${row}.dogs_count AND likes = ${row}.likes_count AND members = 0;`

const addToTotal = (by: string) => `UPDATE totals SET value = value + (${by}) WHERE name = 'profiles';`
const DELETE_WORDS = `DELETE FROM member_words WHERE id = old.id;`
const SIGN = 'CASE new.hidden WHEN 0 THEN 1 ELSE -1 END'

const TRIGGERS: readonly RowTrigger[] = [
  {
    // After its first dog or like, where a provider opens the account: its counts start from the rows.
    name: 'profiles_added',
    event: 'INSERT ON profiles_all',
    when: 'new.hidden = 0',
    body: `${addToTotal('1')} ${rank('new', '1')}
      UPDATE profiles_all SET
        dogs_count = (SELECT count(*) FROM member_dogs WHERE user_id = new.id),
        breeds_count = (SELECT count(*) FROM member_breeds WHERE user_id = new.id),
        likes_count = (SELECT count(*) FROM dog_likes WHERE user_id = new.id)
        WHERE id = new.id;`,
  },
  {
    name: 'profiles_removed',
    event: 'DELETE ON profiles_all',
    when: 'old.hidden = 0',
    body: `${addToTotal('-1')} ${rank('old', '-1')} ${DELETE_WORDS}`,
  },
  {
    // Who shows it writes its words.
    name: 'profiles_hidden',
    event: 'UPDATE OF hidden ON profiles_all',
    when: '(old.hidden = 0) != (new.hidden = 0)',
    body: `${addToTotal(SIGN)} ${rank('new', SIGN)} ${DELETE_WORDS}`,
  },
  {
    name: 'profiles_reranked',
    event: 'UPDATE OF dogs_count, likes_count ON profiles_all',
    when: 'new.hidden = 0 AND (old.dogs_count != new.dogs_count OR old.likes_count != new.likes_count)',
    body: `${rank('old', '-1')} ${rank('new', '1')}`,
  },
]

/** Functions of other triggers count on the table by its name, which SQLite changes in them by itself. */
const renameInFunctions = sql.raw(`DO $$ DECLARE definition text; BEGIN
  FOR definition IN SELECT pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prosrc LIKE '%UPDATE profiles SET%'
  LOOP EXECUTE replace(definition, 'UPDATE profiles SET', 'UPDATE profiles_all SET'); END LOOP;
END $$`)

/** Profiles stay where they are while they are hidden, as comments and opinions do. Their counts go on, out of every ranking. */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  const isSqlite = dialectOf(db) === 'sqlite'
  for (const name of isSqlite ? COUNTERS : [...COUNTERS, 'counted'])
    await sql.raw(isSqlite ? `DROP TRIGGER profiles_${name}` : `DROP FUNCTION profiles_${name} CASCADE`).execute(db)
  for (const index of ['profiles_ranking', 'profiles_created', 'held_alias']) await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('profiles').renameTo('profiles_all').execute()
  await db.schema
    .alterTable('profiles_all')
    .addColumn('hidden', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  if (!isSqlite) await renameInFunctions.execute(db)
  await returnHeld(db)
  await sql`CREATE INDEX profiles_ranking ON profiles_all (dogs_count, likes_count, id) WHERE hidden = 0`.execute(db)
  await sql`CREATE INDEX profiles_created ON profiles_all (created_at, id) WHERE hidden = 0`.execute(db)
  for (const trigger of TRIGGERS) await createRowTrigger(db, trigger)
  await sql`CREATE VIEW profiles AS SELECT * FROM profiles_all WHERE hidden = 0`.execute(db)
}

/** Before the triggers are there. An alias that somebody else has by now gets a key of its own. */
async function returnHeld(db: Kysely<any>): Promise<void> {
  const held = await db.selectFrom('held').selectAll().where('kind', '=', 'profile').execute()
  for (const { thing_id: id, cause, snapshot } of held) {
    const { alias, alias_key, emoji, verified, created_at } = JSON.parse(snapshot)
    const holder = await db
      .selectFrom('profiles_all')
      .select('id')
      .where('alias_key', '=', alias_key)
      .executeTakeFirst()
    const user = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
    if (user)
      await sql`INSERT INTO profiles_all
        (id, alias, alias_key, emoji, verified, created_at, dogs_count, breeds_count, likes_count, hidden)
        VALUES (${id}, ${alias}, ${holder ? `${alias_key}#${id}` : alias_key}, ${emoji}, ${verified}, ${created_at},
          (SELECT count(*) FROM member_dogs WHERE user_id = ${id}), (SELECT count(*) FROM member_breeds WHERE user_id = ${id}),
          (SELECT count(*) FROM dog_likes WHERE user_id = ${id}), ${CAUSES[cause] ?? CAUSES.admin})
        ON CONFLICT DO NOTHING`.execute(db)
    await db.deleteFrom('held').where('kind', '=', 'profile').where('thing_id', '=', id).execute()
  }
}
