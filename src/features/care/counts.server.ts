import type Database from 'better-sqlite3'

/**
 * Every number a trigger keeps (the z-counts and ranking migrations), beside the same number counted from the rows, and how it is put
 * right. `kept` and `counted` give the same rows at any time; a tally of zeros counts as none.
 *
 * In the order in which they are mended: what a trigger changes by the mending of one is mended after it.
 */
export const COUNTS: { name: string; kept: string; counted: string; mend: string }[] = []

const LIKES = '(SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id)'
const COMMENTS = '(SELECT count(*) FROM comments WHERE dog_id = dogs.id)'
const THEIRS = `FROM users JOIN dogs ON owner_id = users.id OR discoverer_id = users.id`

/** A column of a table whose rows stay: those that are off are set. */
const column = (name: string, table: string, kept: string, value: string) =>
  COUNTS.push({
    name,
    kept: `SELECT id, ${kept} FROM ${table}`,
    counted: `SELECT id, ${value} FROM ${table}`,
    mend: `UPDATE ${table} SET ${kept} = ${value} WHERE ${kept} IS NOT ${value}`,
  })

/** A table made of nothing but counts: rows that are off go and come anew. */
const tally = (name: string, table: string, columns: string, counted: string, where = '') =>
  COUNTS.push({
    name,
    kept: `SELECT ${columns} FROM ${table} ${where}`,
    counted,
    mend: `DELETE FROM ${table}; INSERT INTO ${table} (${columns}) ${counted}`,
  })

column('likes de los perros', 'dogs', 'votes', LIKES)
column('comentarios de los perros', 'dogs', 'comments_count', COMMENTS)
// Row by row, since its triggers change the counts of profiles, too: what is right stays as it is.
COUNTS.push({
  name: 'perros de cada miembro',
  kept: 'SELECT user_id, dog_id, breed_slug, created_at FROM member_dogs',
  counted: `SELECT users.id, dogs.id, breed_slug, dogs.created_at ${THEIRS}`,
  mend: `DELETE FROM member_dogs WHERE (user_id, dog_id, breed_slug, created_at) NOT IN
      (SELECT users.id, dogs.id, breed_slug, dogs.created_at ${THEIRS});
    INSERT OR IGNORE INTO member_dogs (user_id, dog_id, breed_slug, created_at)
      SELECT users.id, dogs.id, breed_slug, dogs.created_at ${THEIRS}`,
})
tally(
  'razas de cada miembro',
  'member_breeds',
  'user_id, breed_slug, dogs',
  `SELECT users.id, breed_slug, count(*) ${THEIRS} GROUP BY 1, 2`,
)
column(
  'número de perros de los perfiles',
  'profiles',
  'dogs_count',
  '(SELECT count(*) FROM dogs WHERE owner_id = profiles.id OR discoverer_id = profiles.id)',
)
column(
  'número de razas de los perfiles',
  'profiles',
  'breeds_count',
  '(SELECT count(DISTINCT breed_slug) FROM dogs WHERE owner_id = profiles.id OR discoverer_id = profiles.id)',
)
column(
  'likes de los perfiles',
  'profiles',
  'likes_count',
  '(SELECT count(*) FROM dog_likes WHERE user_id = profiles.id)',
)
tally(
  'perros y likes por raza y tamaño',
  'dog_tallies',
  'breed_slug, size, dogs, likes',
  `SELECT breed_slug, coalesce(size, ''), count(*), sum(${LIKES}) FROM dogs GROUP BY 1, 2`,
  'WHERE dogs != 0 OR likes != 0',
)
tally(
  'perros por día, raza y tamaño',
  'dog_day_tallies',
  'day, breed_slug, size, dogs',
  `SELECT day, breed_slug, coalesce(size, ''), count(*) FROM dogs GROUP BY 1, 2, 3`,
  'WHERE dogs != 0',
)
tally(
  'likes por hora',
  'like_hour_tallies',
  'hour, likes',
  'SELECT created_at / 3600000, count(*) FROM dog_likes GROUP BY 1',
  'WHERE likes != 0',
)
tally('miembros por perros', 'ranking_dogs', 'dogs, members', 'SELECT dogs_count, count(*) FROM profiles GROUP BY 1')
tally(
  'miembros por perros y likes',
  'ranking_likes',
  'dogs, likes, members',
  'SELECT dogs_count, likes_count, count(*) FROM profiles GROUP BY 1, 2',
)
COUNTS.push({
  name: 'total de perfiles',
  kept: `SELECT value FROM totals WHERE name = 'profiles'`,
  counted: 'SELECT count(*) FROM profiles',
  mend: `INSERT INTO totals (name, value) VALUES ('profiles', (SELECT count(*) FROM profiles))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
})

/** The counts that a recount does not find, each with how many rows are off. */
export function drift(sqlite: Database.Database): { name: string; rows: number }[] {
  return COUNTS.flatMap(({ name, kept, counted }) => {
    const only = (one: string, other: string) =>
      sqlite.prepare(`SELECT count(*) FROM (${one} EXCEPT ${other})`).pluck().get() as number
    // A number that is off stands on both sides, a row too many or too few on one.
    const rows = Math.max(only(kept, counted), only(counted, kept))
    return rows > 0 ? [{ name, rows }] : []
  })
}

/**
 * Counts everything anew where something is off, in one transaction, so that nobody ever reads a number half mended.
 * @returns the names of what was off
 */
export function recount(sqlite: Database.Database): string[] {
  const work = sqlite.transaction(() => {
    const off = drift(sqlite)
    if (off.length > 0) for (const { mend } of COUNTS) sqlite.exec(mend)
    return off.map(({ name }) => name)
  })
  return work.immediate()
}
