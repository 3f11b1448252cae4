import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { onlyCause } from '#db/content.ts'
import { runTriggersAtOnce, withoutWriters } from '#db/dialect/command-locks.ts'
import { ALL_PROVINCES } from '#db/dialect/province-triggers.ts'

/**
 * Every count that a trigger maintains (the migrations `counts` and `ranking-counts`), with its recount from the rows and the SQL that
 * repairs it. `stored` and `recounted` return the same rows at any time; a tally of zeros counts as none.
 *
 * In the order of repair: a count that triggers change during the repair of another one comes after it.
 */
export const COUNTS: { name: string; stored: string; recounted: string; repair: string[] }[] = []

// Dogs count what is of them, whether they are hidden or not, but nothing of members who leave; tallies and members count dogs that are shown.
const likesOf = (dogs: string) =>
  `(SELECT count(*) FROM dog_likes_all WHERE dog_id = ${dogs}.id AND (hidden & ${onlyCause('deletion')}) = 0)`
const COMMENTS_SQL = '(SELECT count(*) FROM comments_all WHERE dog_id = dogs_all.id AND comments_all.hidden = 0)'
const OF_PROFILE = 'FROM dogs WHERE owner_id = profiles_all.id OR discoverer_id = profiles_all.id'
const LIKES_GIVEN_SQL = '(SELECT count(*) FROM dog_likes_all WHERE user_id = profiles_all.id AND hidden = 0)'
const MEMBER_DOGS_SQL = `FROM users JOIN dogs ON owner_id = users.id OR discoverer_id = users.id`

/** Adds a count in a column. Repair updates the rows with a wrong count. */
const addColumnCount = (name: string, table: string, column: string, value: string) =>
  COUNTS.push({
    name,
    stored: `SELECT id, ${column} FROM ${table}`,
    recounted: `SELECT id, ${value} FROM ${table}`,
    repair: [`UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS DISTINCT FROM ${value}`],
  })

/** Adds a table that has nothing but counts. Repair rewrites the table. */
const addTallyCount = (name: string, table: string, columns: string, recount: string, where = '') =>
  COUNTS.push({
    name,
    stored: `SELECT ${columns} FROM ${table} ${where}`,
    recounted: recount,
    repair: [`DELETE FROM ${table}`, `INSERT INTO ${table} (${columns}) ${recount}`],
  })

addColumnCount('likes de los perros', 'dogs_all', 'votes', likesOf('dogs_all'))
addColumnCount('comentarios de los perros', 'dogs_all', 'comments_count', COMMENTS_SQL)
// Repaired row by row, because its triggers also change the counts of profiles: correct rows stay.
COUNTS.push({
  name: 'perros de cada miembro',
  stored: 'SELECT user_id, dog_id, breed_slug, created_at FROM member_dogs',
  recounted: `SELECT users.id, dogs.id, breed_slug, dogs.created_at ${MEMBER_DOGS_SQL}`,
  repair: [
    `DELETE FROM member_dogs WHERE (user_id, dog_id, breed_slug, created_at) NOT IN
      (SELECT users.id, dogs.id, breed_slug, dogs.created_at ${MEMBER_DOGS_SQL})`,
    `INSERT INTO member_dogs (user_id, dog_id, breed_slug, created_at)
      SELECT users.id, dogs.id, breed_slug, dogs.created_at ${MEMBER_DOGS_SQL} WHERE true ON CONFLICT DO NOTHING`,
  ],
})
addTallyCount(
  'razas de cada miembro',
  'member_breeds',
  'user_id, breed_slug, dogs',
  `SELECT users.id, breed_slug, count(*) ${MEMBER_DOGS_SQL} GROUP BY 1, 2`,
)
addColumnCount('número de perros de los perfiles', 'profiles_all', 'dogs_count', `(SELECT count(*) ${OF_PROFILE})`)
addColumnCount(
  'número de razas de los perfiles',
  'profiles_all',
  'breeds_count',
  `(SELECT count(DISTINCT breed_slug) ${OF_PROFILE})`,
)
addColumnCount('likes de los perfiles', 'profiles_all', 'likes_count', LIKES_GIVEN_SQL)
addTallyCount(
  'perros y likes por raza y tamaño',
  'dog_tallies',
  'breed_slug, size, dogs, likes',
  `SELECT breed_slug, coalesce(size, ''), count(*), sum(${likesOf('dogs')}) FROM dogs GROUP BY 1, 2`,
  'WHERE dogs != 0 OR likes != 0',
)
addTallyCount(
  'perros por día, raza y tamaño',
  'dog_day_tallies',
  'day, breed_slug, size, dogs',
  `SELECT day, breed_slug, coalesce(size, ''), count(*) FROM dogs GROUP BY 1, 2, 3`,
  'WHERE dogs != 0',
)
addTallyCount(
  'likes por hora',
  'like_hour_tallies',
  'hour, likes',
  'SELECT created_at / 3600000, count(*) FROM dog_likes_all WHERE hidden = 0 GROUP BY 1',
  'WHERE likes != 0',
)
addTallyCount(
  'perros por provincia y raza',
  'province_breeds',
  'province, breed_slug, dogs',
  `SELECT place, breed_slug, count(*) FROM (
      SELECT province AS place, breed_slug FROM dogs WHERE coalesce(province, '') <> ''
      UNION ALL SELECT '${ALL_PROVINCES}', breed_slug FROM dogs WHERE coalesce(province, '') <> '') AS placed GROUP BY 1, 2`,
  'WHERE dogs != 0',
)
addTallyCount(
  'miembros por perros',
  'ranking_dogs',
  'dogs, members',
  'SELECT dogs_count, count(*) FROM profiles GROUP BY 1',
)
addTallyCount(
  'miembros por perros y likes',
  'ranking_likes',
  'dogs, likes, members',
  'SELECT dogs_count, likes_count, count(*) FROM profiles GROUP BY 1, 2',
)
COUNTS.push({
  name: 'total de perfiles',
  stored: `SELECT value FROM totals WHERE name = 'profiles'`,
  recounted: 'SELECT count(*) FROM profiles',
  repair: [
    `INSERT INTO totals (name, value) VALUES ('profiles', (SELECT count(*) FROM profiles))
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ],
})

/** Finds the stored counts that differ from a recount, with the number of wrong rows. */
export async function findCountDrift(db: Db): Promise<{ name: string; rows: number }[]> {
  const countRowsOnlyIn = async (query: string, otherQuery: string) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM (${sql.raw(query)} EXCEPT ${sql.raw(otherQuery)}) AS difference`.execute(db)
    return rows[0]?.count ?? 0
  }
  const drift: { name: string; rows: number }[] = []
  for (const { name, stored, recounted } of COUNTS) {
    // A wrong count differs on both sides; a missing or surplus row on one.
    const rows = Math.max(await countRowsOnlyIn(stored, recounted), await countRowsOnlyIn(recounted, stored))
    if (rows > 0) drift.push({ name, rows })
  }
  return drift
}

/**
 * Repairs all counts where any is wrong, in one transaction, so that no reader sees a half repaired state. Writers wait meanwhile.
 * @returns the names of the wrong counts
 * @throws an error of `isBusyError` where others go on writing
 */
export const repairCounts = (db: Db): Promise<string[]> =>
  withoutWriters(db, async (trx) => {
    const drift = await findCountDrift(trx)
    if (drift.length === 0) return []
    await runTriggersAtOnce(trx)
    for (const { repair } of COUNTS) for (const statement of repair) await sql.raw(statement).execute(trx)
    return drift.map(({ name }) => name)
  })
