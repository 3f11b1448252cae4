import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { createRowTrigger } from '../dialect/row-triggers.ts'

/** The oldest dog of the row's breed, or the one behind it. */
const nthOfBreed = (row: 'new' | 'old', place: number) =>
  `(SELECT id FROM dogs WHERE breed_slug = ${row}.breed_slug ORDER BY created_at, id LIMIT 1 OFFSET ${place})`
/** The people of the dog that a new one takes the first place of its breed from. */
const OVERTAKEN = `SELECT owner_id, discoverer_id FROM dogs
  WHERE id = ${nthOfBreed('new', 1)} AND new.id = ${nthOfBreed('new', 0)}`
/** The people of the dog that gets the first place of a breed from one that leaves it. */
const PROMOTED = `SELECT owner_id, discoverer_id FROM dogs
  WHERE id = ${nthOfBreed('old', 0)} AND (created_at > old.created_at OR created_at = old.created_at AND id > old.id)`

/** Queues the members of the row, and the people that the queries find, in the order of their ids. */
const queueMembers = (rows: readonly ('new' | 'old')[], queries: readonly string[]) => {
  const columns = ['owner_id', 'discoverer_id']
  const members = [
    ...rows.flatMap((row) => columns.map((column) => `SELECT ${row}.${column} AS u`)),
    ...queries.flatMap((query, i) =>
      columns.map((column) => `SELECT ${column} AS u FROM (${query}) AS q${i}${column[0]}`),
    ),
  ]
  return `INSERT INTO badge_queue (user_id, priority, version)
    SELECT u, 0, 1 FROM (${members.join(' UNION ')}) AS members WHERE u IS NOT NULL ORDER BY u
    ON CONFLICT (user_id) DO UPDATE SET priority = 0, version = badge_queue.version + 1;`
}

/** What badges and challenges are decided by. */
const DECIDING_COLUMNS = [
  'breed_slug',
  'owner_id',
  'discoverer_id',
  'size',
  'province',
  'description',
  'age_months',
  'is_adopted',
]
const differs = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(' OR ')

/**
 * Badges, the week's challenges, and the queue of the members whose badges are to be decided again. A badge goes with its dog, which is in
 * `dogs` only while everybody may see it.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('badges')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('badge', text, (c) => c.notNull())
    .addColumn('progress', integer, (c) => c.notNull())
    .addColumn('dog_id', text, (c) => c.references('dogs.id').onDelete('cascade'))
    .addColumn('earned_at', integer)
    .addPrimaryKeyConstraint('badges_primary', ['user_id', 'badge'])
    .execute()
  await db.schema.createIndex('badges_dog').on('badges').column('dog_id').execute()
  await db.schema
    .createTable('challenge_entries')
    .addColumn('week', integer, (c) => c.notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('dog_id', text, (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('joined_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('challenge_entries_primary', ['week', 'user_id'])
    .execute()
  await db.schema
    .createIndex('challenge_entries_list')
    .on('challenge_entries')
    .columns(['week', 'joined_at', 'user_id'])
    .execute()
  await db.schema
    .createIndex('challenge_entries_member')
    .on('challenge_entries')
    .columns(['user_id', 'joined_at'])
    .execute()
  await db.schema.createIndex('challenge_entries_dog').on('challenge_entries').column('dog_id').execute()
  await db.schema
    .createTable('badge_queue')
    .addColumn('user_id', text, (c) => c.primaryKey().notNull())
    .addColumn('priority', integer, (c) => c.notNull())
    .addColumn('version', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('badge_queue_next').on('badge_queue').columns(['priority', 'user_id']).execute()

  await createRowTrigger(db, {
    name: 'badges_dog_added',
    event: 'INSERT ON dogs',
    body: queueMembers(['new'], [OVERTAKEN]),
  })
  await createRowTrigger(db, {
    name: 'badges_dog_removed',
    event: 'DELETE ON dogs',
    body: queueMembers(['old'], [PROMOTED]),
  })
  await createRowTrigger(db, {
    name: 'badges_dog_changed',
    event: `UPDATE OF ${DECIDING_COLUMNS.join(', ')} ON dogs`,
    when: differs(DECIDING_COLUMNS),
    body: queueMembers(['new', 'old'], []),
  })
  await createRowTrigger(db, {
    name: 'badges_dog_regrouped',
    event: 'UPDATE OF breed_slug ON dogs',
    when: differs(['breed_slug']),
    body: `DELETE FROM badges WHERE dog_id = new.id; DELETE FROM challenge_entries WHERE dog_id = new.id;
      ${queueMembers([], [OVERTAKEN, PROMOTED])}`,
  })
  // Dogs from before count as well: all members, after those whose dogs change.
  await sql`INSERT INTO badge_queue (user_id, priority, version) SELECT id, 1, 1 FROM profiles`.execute(db)
}
