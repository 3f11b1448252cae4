import { type Db, sqliteOf } from '#db/client.ts'

/**
 * Every number a trigger keeps, beside the same number counted from the rows. `kept` and `counted` must be equal at any
 * time; a row of zeros counts as no row.
 */
const COUNTS: Record<string, { kept: string; counted: string }> = {
  'likes of a dog': {
    kept: 'SELECT id, votes FROM dogs',
    counted: 'SELECT id, (SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id) FROM dogs',
  },
  'comments of a dog': {
    kept: 'SELECT id, comments_count FROM dogs',
    counted: 'SELECT id, (SELECT count(*) FROM comments WHERE dog_id = dogs.id) FROM dogs',
  },
  'dogs of a member': {
    kept: 'SELECT id, dogs_count FROM profiles',
    counted:
      'SELECT id, (SELECT count(*) FROM dogs WHERE owner_id = profiles.id OR discoverer_id = profiles.id) FROM profiles',
  },
  'breeds of a member': {
    kept: 'SELECT id, breeds_count FROM profiles',
    counted: `SELECT id, (SELECT count(DISTINCT breed_slug) FROM dogs
      WHERE owner_id = profiles.id OR discoverer_id = profiles.id) FROM profiles`,
  },
  'likes a member gave': {
    kept: 'SELECT id, likes_count FROM profiles',
    counted: 'SELECT id, (SELECT count(*) FROM dog_likes WHERE user_id = profiles.id) FROM profiles',
  },
  'the list of a member': {
    kept: 'SELECT user_id, dog_id, breed_slug, created_at FROM member_dogs',
    counted: `SELECT users.id, dogs.id, breed_slug, dogs.created_at FROM users
      JOIN dogs ON owner_id = users.id OR discoverer_id = users.id`,
  },
  'the breeds of a member, one by one': {
    kept: 'SELECT user_id, breed_slug, dogs FROM member_breeds',
    counted: `SELECT users.id, breed_slug, count(*) FROM users
      JOIN dogs ON owner_id = users.id OR discoverer_id = users.id GROUP BY 1, 2`,
  },
  'dogs and likes by breed and size': {
    kept: 'SELECT breed_slug, size, dogs, likes FROM dog_tallies WHERE dogs != 0 OR likes != 0',
    counted: `SELECT breed_slug, coalesce(size, ''), count(*),
      sum((SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id)) FROM dogs GROUP BY 1, 2`,
  },
  'dogs by day, breed and size': {
    kept: 'SELECT day, breed_slug, size, dogs FROM dog_day_tallies WHERE dogs != 0',
    counted: `SELECT day, breed_slug, coalesce(size, ''), count(*) FROM dogs GROUP BY 1, 2, 3`,
  },
  'members by dogs': {
    kept: 'SELECT dogs, members FROM ranking_dogs',
    counted: 'SELECT dogs_count, count(*) FROM profiles GROUP BY 1',
  },
  'members by dogs and likes': {
    kept: 'SELECT dogs, likes, members FROM ranking_likes',
    counted: 'SELECT dogs_count, likes_count, count(*) FROM profiles GROUP BY 1, 2',
  },
  profiles: {
    kept: `SELECT value FROM totals WHERE name = 'profiles'`,
    counted: 'SELECT count(*) FROM profiles',
  },
}

/** The counts that do not agree with a recount. */
export function disagreements(db: Db): string[] {
  const sqlite = sqliteOf(db)
  const rows = (sql: string) =>
    sqlite
      .prepare(sql)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n')
  return Object.entries(COUNTS).flatMap(([name, { kept, counted }]) => (rows(kept) === rows(counted) ? [] : [name]))
}
