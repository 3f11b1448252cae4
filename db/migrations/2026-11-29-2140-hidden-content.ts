import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { dialectOf } from '../dialect/dialect.ts'
import { createRowTrigger, type RowTrigger } from '../dialect/row-triggers.ts'

/** The bit of each cause for which content moved to `held`. */
const CAUSES: Record<string, number> = { words: 1, anonymous: 1, reports: 2, admin: 4, deletion: 8 }

const countOnDog = (by: string, row: 'new' | 'old') =>
  `UPDATE dogs SET comments_count = comments_count + ${by} WHERE id = ${row}.dog_id;`

const TRIGGERS: readonly RowTrigger[] = [
  { name: 'comments_added', event: 'INSERT ON comments_all', when: 'new.hidden = 0', body: countOnDog('1', 'new') },
  { name: 'comments_removed', event: 'DELETE ON comments_all', when: 'old.hidden = 0', body: countOnDog('-1', 'old') },
  {
    name: 'comments_hidden',
    event: 'UPDATE OF hidden ON comments_all',
    when: '(old.hidden = 0) != (new.hidden = 0)',
    body: countOnDog('CASE new.hidden WHEN 0 THEN 1 ELSE -1 END', 'new'),
  },
]

/** One trigger less for each like, and for each that is taken back. */
const SQLITE_LIKES = [
  ...['like_hours_added', 'like_hours_removed', 'dog_likes_added', 'dog_likes_removed'].map(
    (name) => `DROP TRIGGER ${name}`,
  ),
  ...(['added', 'removed'] as const).map((name) => {
    const [event, row, sign] = name === 'added' ? ['INSERT', 'new', '+ 1'] : ['DELETE', 'old', '- 1']
    return `CREATE TRIGGER dog_likes_${name} AFTER ${event} ON dog_likes BEGIN
      UPDATE dogs SET votes = votes ${sign} WHERE id = ${row}.dog_id;
      UPDATE profiles SET likes_count = likes_count ${sign} WHERE id = ${row}.user_id;
      INSERT INTO like_hour_tallies VALUES (${row}.created_at / 3600000, 0 ${sign})
        ON CONFLICT (hour) DO UPDATE SET likes = likes ${sign}; END`
  }),
]

/**
 * Comments and opinions stay where they are while they are hidden: `hidden` says why, and a view with the table's plain name shows the rest.
 * What was moved to `held` for it comes back.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  const isSqlite = dialectOf(db) === 'sqlite'
  for (const name of ['comments_added', 'comments_removed'])
    await sql.raw(isSqlite ? `DROP TRIGGER ${name}` : `DROP FUNCTION ${name} CASCADE`).execute(db)
  for (const index of ['comments_dog', 'comments_user', 'breed_opinions_tally', 'breed_opinions_newest'])
    await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('comments').renameTo('comments_all').execute()
  await db.schema.alterTable('breed_opinions').renameTo('breed_opinions_all').execute()
  for (const table of ['comments_all', 'held_comments', 'breed_opinions_all'])
    await db.schema
      .alterTable(table)
      .addColumn('hidden', integer, (c) => c.notNull().defaultTo(0))
      .execute()
  await db.updateTable('breed_opinions_all').set({ hidden: CAUSES.deletion }).where('is_withdrawn', '=', 1).execute()
  await db.schema.alterTable('breed_opinions_all').dropColumn('is_withdrawn').execute()
  const indexes: [name: string, table: string, columns: string[]][] = [
    ['comments_dog', 'comments_all', ['dog_id', 'hidden', 'created_at', 'id']],
    ['comments_user', 'comments_all', ['user_id', 'hidden', 'created_at', 'id']],
    ['breed_opinions_tally', 'breed_opinions_all', ['dog_id', 'hidden', 'breed_slug']],
    ['breed_opinions_newest', 'breed_opinions_all', ['dog_id', 'hidden', 'created_at', 'id']],
  ]
  for (const [name, table, columns] of indexes) await db.schema.createIndex(name).on(table).columns(columns).execute()
  await returnHeld(db)
  for (const trigger of TRIGGERS) await createRowTrigger(db, { ...trigger, isImmediate: true })
  if (isSqlite) for (const statement of SQLITE_LIKES) await sql.raw(statement).execute(db)
  for (const view of ['comments', 'breed_opinions'])
    await sql.raw(`CREATE VIEW ${view} AS SELECT * FROM ${view}_all WHERE hidden = 0`).execute(db)
}

/** Before the triggers are there: what is hidden has not been counted. */
async function returnHeld(db: Kysely<any>): Promise<void> {
  const held = await db.selectFrom('held').selectAll().where('kind', 'in', ['comment', 'opinion']).execute()
  for (const { kind, thing_id, cause, snapshot } of held) {
    const { is_withdrawn: _, ...row } = JSON.parse(snapshot)
    const table = await findTable(db, kind, row)
    if (table)
      await db
        .insertInto(table)
        .values({ ...row, hidden: CAUSES[cause] ?? CAUSES.admin })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await db.deleteFrom('held').where('kind', '=', kind).where('thing_id', '=', thing_id).execute()
  }
}

/** Where the row belongs; null where its dog, its question or its member is gone. */
async function findTable(db: Kysely<any>, kind: string, row: { dog_id: string; user_id: string }) {
  const has = async (table: string, column: string, value: string) =>
    (await db.selectFrom(table).select(column).where(column, '=', value).executeTakeFirst()) !== undefined
  if (!(await has('users', 'id', row.user_id))) return null
  if (kind === 'opinion') return (await has('opinion_requests', 'dog_id', row.dog_id)) ? 'breed_opinions_all' : null
  if (await has('dogs', 'id', row.dog_id)) return 'comments_all'
  return (await has('held', 'thing_id', row.dog_id)) ? 'held_comments' : null
}
