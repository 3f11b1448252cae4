import type Database from 'better-sqlite3'

/**
 * Every count that a trigger maintains (the migrations `counts` and `ranking-counts`), with its recount from the rows and the SQL that
 * repairs it. `stored` and `recounted` return the same rows at any time; a tally of zeros counts as none.
 *
 * In the order of repair: a count that triggers change during the repair of another one comes after it.
 */
export const COUNTS: { name: string; stored: string; recounted: string; repair: string }[] = []

const LIKES_SQL = '(SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id)'
const COMMENTS_SQL = '(SELECT count(*) FROM comments WHERE dog_id = dogs.id)'
const MEMBER_DOGS_SQL = `FROM users JOIN dogs ON owner_id = users.id OR discoverer_id = users.id`

/** Adds a count in a column. Repair updates the rows with a wrong count. */
const addColumnCount = (name: string, table: string, column: string, value: string) =>
  COUNTS.push({
    name,
    stored: `SELECT id, ${column} FROM ${table}`,
    recounted: `SELECT id, ${value} FROM ${table}`,
    repair: `UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS NOT ${value}`,
  })

/** Adds a table that has nothing but counts. Repair rewrites the table. */
const addTallyCount = (name: string, table: string, columns: string, recount: string, where = '') =>
  COUNTS.push({
    name,
    stored: `SELECT ${columns} FROM ${table} ${where}`,
    recounted: recount,
    repair: `DELETE FROM ${table}; INSERT INTO ${table} (${columns}) ${recount}`,
  })

addColumnCount('likes de los perros', 'dogs', 'votes', LIKES_SQL)
addColumnCount('comentarios de los perros', 'dogs', 'comments_count', COMMENTS_SQL)
// Repaired row by row, because its triggers also change the counts of profiles: correct rows stay.
COUNTS.push({
  name: 'perros de cada miembro',
  stored: 'SELECT user_id, dog_id, breed_slug, created_at FROM member_dogs',
  recounted: `SELECT users.id, dogs.id, breed_slug, dogs.created_at ${MEMBER_DOGS_SQL}`,
  repair: `DELETE FROM member_dogs WHERE (user_id, dog_id, breed_slug, created_at) NOT IN
      (SELECT users.id, dogs.id, breed_slug, dogs.created_at ${MEMBER_DOGS_SQL});
    INSERT OR IGNORE INTO member_dogs (user_id, dog_id, breed_slug, created_at)
      SELECT users.id, dogs.id, breed_slug, dogs.created_at ${MEMBER_DOGS_SQL}`,
})
addTallyCount(
  'razas de cada miembro',
  'member_breeds',
  'user_id, breed_slug, dogs',
  `SELECT users.id, breed_slug, count(*) ${MEMBER_DOGS_SQL} GROUP BY 1, 2`,
)
addColumnCount(
  'número de perros de los perfiles',
  'profiles',
  'dogs_count',
  '(SELECT count(*) FROM dogs WHERE owner_id = profiles.id OR discoverer_id = profiles.id)',
)
addColumnCount(
  'número de razas de los perfiles',
  'profiles',
  'breeds_count',
  '(SELECT count(DISTINCT breed_slug) FROM dogs WHERE owner_id = profiles.id OR discoverer_id = profiles.id)',
)
addColumnCount(
  'likes de los perfiles',
  'profiles',
  'likes_count',
  '(SELECT count(*) FROM dog_likes WHERE user_id = profiles.id)',
)
addTallyCount(
  'perros y likes por raza y tamaño',
  'dog_tallies',
  'breed_slug, size, dogs, likes',
  `SELECT breed_slug, coalesce(size, ''), count(*), sum(${LIKES_SQL}) FROM dogs GROUP BY 1, 2`,
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
  'SELECT created_at / 3600000, count(*) FROM dog_likes GROUP BY 1',
  'WHERE likes != 0',
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
  repair: `INSERT INTO totals (name, value) VALUES ('profiles', (SELECT count(*) FROM profiles))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
})

/** Finds the stored counts that differ from a recount, with the number of wrong rows. */
export function findCountDrift(sqlite: Database.Database): { name: string; rows: number }[] {
  return COUNTS.flatMap(({ name, stored, recounted }) => {
    const countRowsOnlyIn = (sql: string, otherSql: string) =>
      sqlite.prepare(`SELECT count(*) FROM (${sql} EXCEPT ${otherSql})`).pluck().get() as number
    // A wrong count differs on both sides; a missing or surplus row on one.
    const rows = Math.max(countRowsOnlyIn(stored, recounted), countRowsOnlyIn(recounted, stored))
    return rows > 0 ? [{ name, rows }] : []
  })
}

/**
 * Repairs all counts where any is wrong, in one transaction, so that no reader sees a half repaired state.
 * @returns the names of the wrong counts
 */
export function repairCounts(sqlite: Database.Database): string[] {
  const repairAll = sqlite.transaction(() => {
    const drift = findCountDrift(sqlite)
    if (drift.length > 0) for (const { repair } of COUNTS) sqlite.exec(repair)
    return drift.map(({ name }) => name)
  })
  return repairAll.immediate()
}
