import type Database from 'better-sqlite3'

/**
 * Every number a trigger keeps (the z-counts and ranking migrations), beside the same number counted from the rows, and how it is put
 * right. `kept` and `counted` give the same rows at any time; a tally of zeros counts as none.
 *
 * In the order in which they are mended: what a trigger changes by the mending of one is mended after it.
 */
export const COUNTS: { name: string; stored: string; recounted: string; repair: string }[] = []

const LIKES_SQL = '(SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id)'
const COMMENTS_SQL = '(SELECT count(*) FROM comments WHERE dog_id = dogs.id)'
const MEMBER_DOGS_SQL = `FROM users JOIN dogs ON owner_id = users.id OR discoverer_id = users.id`

/** A column of a table whose rows stay: those that are off are set. */
const addColumnCount = (name: string, table: string, kept: string, value: string) =>
  COUNTS.push({
    name,
    stored: `SELECT id, ${kept} FROM ${table}`,
    recounted: `SELECT id, ${value} FROM ${table}`,
    repair: `UPDATE ${table} SET ${kept} = ${value} WHERE ${kept} IS NOT ${value}`,
  })

/** A table made of nothing but counts: rows that are off go and come anew. */
const addTallyCount = (name: string, table: string, columns: string, counted: string, where = '') =>
  COUNTS.push({
    name,
    stored: `SELECT ${columns} FROM ${table} ${where}`,
    recounted: counted,
    repair: `DELETE FROM ${table}; INSERT INTO ${table} (${columns}) ${counted}`,
  })

addColumnCount('likes de los perros', 'dogs', 'votes', LIKES_SQL)
addColumnCount('comentarios de los perros', 'dogs', 'comments_count', COMMENTS_SQL)
// Row by row, since its triggers change the counts of profiles, too: what is right stays as it is.
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

/** The counts that a recount does not find, each with how many rows are off. */
export function findCountDrift(sqlite: Database.Database): { name: string; rows: number }[] {
  return COUNTS.flatMap(({ name, stored, recounted }) => {
    const only = (one: string, other: string) =>
      sqlite.prepare(`SELECT count(*) FROM (${one} EXCEPT ${other})`).pluck().get() as number
    // A number that is off stands on both sides, a row too many or too few on one.
    const rows = Math.max(only(stored, recounted), only(recounted, stored))
    return rows > 0 ? [{ name, rows }] : []
  })
}

/**
 * Counts everything anew where something is off, in one transaction, so that nobody ever reads a number half mended.
 * @returns the names of what was off
 */
export function repairCounts(sqlite: Database.Database): string[] {
  const work = sqlite.transaction(() => {
    const off = findCountDrift(sqlite)
    if (off.length > 0) for (const { repair } of COUNTS) sqlite.exec(repair)
    return off.map(({ name }) => name)
  })
  return work.immediate()
}
