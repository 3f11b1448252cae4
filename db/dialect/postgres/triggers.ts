// Triggers that maintain counts, and that delete the search's words with their names. Those of SQLite:
// db/migrations/base/2026-11-20-1644-counts.ts, base/2026-11-21-1806-ranking-counts.ts, 2026-11-22-2039-like-hours.ts.

interface TriggerOptions {
  when?: string
  /** Whether it runs at commit, as all that updated common rows did while several transactions wrote at a time. */
  isDeferred?: boolean
}

/** A trigger for each row with its function, both called `name`. `event`: `INSERT ON dogs`. */
function trigger(name: string, event: string, body: string, { when, isDeferred }: TriggerOptions = {}): string[] {
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
    `CREATE ${isDeferred ? 'CONSTRAINT ' : ''}TRIGGER ${name} AFTER ${event}
      ${isDeferred ? 'DEFERRABLE INITIALLY DEFERRED ' : ''}FOR EACH ROW ${when ? `WHEN (${when})` : ''} EXECUTE FUNCTION ${name}()`,
  ]
}

const differs = (...columns: string[]) =>
  columns.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(' OR ')

const addTallies = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO dog_tallies AS t VALUES (${row}.breed_slug, coalesce(${row}.size, ''), ${by}, ${by} * ${row}.votes)
    ON CONFLICT (breed_slug, size) DO UPDATE SET dogs = t.dogs + excluded.dogs, likes = t.likes + excluded.likes;
  INSERT INTO dog_day_tallies AS t VALUES (${row}.day, ${row}.breed_slug, coalesce(${row}.size, ''), ${by})
    ON CONFLICT (day, breed_slug, size) DO UPDATE SET dogs = t.dogs + excluded.dogs;`

const addMembers = `
  INSERT INTO member_dogs SELECT u, new.id, new.breed_slug, new.created_at
    FROM (SELECT new.owner_id AS u UNION SELECT new.discoverer_id) AS members WHERE u IS NOT NULL ORDER BY u;`
const removeMembers = `
  DELETE FROM member_dogs WHERE dog_id = old.id AND user_id IN (old.owner_id, old.discoverer_id);`

const dogCounts = [
  trigger('dogs_added', 'INSERT ON dogs', addMembers),
  trigger('dogs_removed', 'DELETE ON dogs', removeMembers),
  trigger('dogs_rehomed', 'UPDATE OF breed_slug, owner_id, discoverer_id ON dogs', `${removeMembers} ${addMembers}`, {
    when: differs('breed_slug', 'owner_id', 'discoverer_id'),
  }),
  trigger('dogs_tallied', 'INSERT ON dogs', addTallies('new', 1), { isDeferred: true }),
  trigger('dogs_untallied', 'DELETE ON dogs', addTallies('old', -1), { isDeferred: true }),
  trigger('dogs_regrouped', 'UPDATE OF breed_slug, size ON dogs', `${addTallies('old', -1)} ${addTallies('new', 1)}`, {
    when: differs('breed_slug', 'size'),
    isDeferred: true,
  }),
  trigger(
    'dogs_voted',
    'UPDATE OF votes ON dogs',
    `UPDATE dog_tallies SET likes = likes + new.votes - old.votes
      WHERE breed_slug = new.breed_slug AND size = coalesce(new.size, '');`,
    { when: differs('votes'), isDeferred: true },
  ),
]

const memberCounts = [
  trigger(
    'member_dogs_added',
    'INSERT ON member_dogs',
    `UPDATE profiles SET dogs_count = dogs_count + 1 WHERE id = new.user_id;
    INSERT INTO member_breeds AS t VALUES (new.user_id, new.breed_slug, 1)
      ON CONFLICT (user_id, breed_slug) DO UPDATE SET dogs = t.dogs + 1;`,
  ),
  trigger(
    'member_dogs_removed',
    'DELETE ON member_dogs',
    `UPDATE profiles SET dogs_count = dogs_count - 1 WHERE id = old.user_id;
    UPDATE member_breeds SET dogs = dogs - 1 WHERE user_id = old.user_id AND breed_slug = old.breed_slug;`,
  ),
  trigger(
    'member_breeds_added',
    'INSERT ON member_breeds',
    `UPDATE profiles SET breeds_count = breeds_count + 1 WHERE id = new.user_id;`,
  ),
  trigger(
    'member_breeds_emptied',
    'UPDATE OF dogs ON member_breeds',
    `DELETE FROM member_breeds WHERE user_id = new.user_id AND breed_slug = new.breed_slug;
    UPDATE profiles SET breeds_count = breeds_count - 1 WHERE id = new.user_id;`,
    { when: 'new.dogs = 0' },
  ),
]

const addHour = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO like_hour_tallies AS t VALUES (${row}.created_at / 3600000, ${by})
    ON CONFLICT (hour) DO UPDATE SET likes = t.likes + excluded.likes;`

/** The counts of likes on their dog and their giver. */
export const likeCounts: readonly string[] = [
  trigger(
    'dog_likes_added',
    'INSERT ON dog_likes',
    `UPDATE dogs SET votes = votes + 1 WHERE id = new.dog_id;
    UPDATE profiles SET likes_count = likes_count + 1 WHERE id = new.user_id;`,
  ),
  trigger(
    'dog_likes_removed',
    'DELETE ON dog_likes',
    `UPDATE dogs SET votes = votes - 1 WHERE id = old.dog_id;
    UPDATE profiles SET likes_count = likes_count - 1 WHERE id = old.user_id;`,
  ),
].flat()

const activityCounts = [
  trigger('like_hours_added', 'INSERT ON dog_likes', addHour('new', 1), { isDeferred: true }),
  trigger('like_hours_removed', 'DELETE ON dog_likes', addHour('old', -1), { isDeferred: true }),
  trigger(
    'comments_added',
    'INSERT ON comments',
    `UPDATE dogs SET comments_count = comments_count + 1 WHERE id = new.dog_id;`,
  ),
  trigger(
    'comments_removed',
    'DELETE ON comments',
    `UPDATE dogs SET comments_count = comments_count - 1 WHERE id = old.dog_id;`,
  ),
]

/** Runs `insert`, and `remove` where no members are left. */
const rank = (insert: string, remove: string) => `
  DECLARE ranked bigint; BEGIN
    ${insert} RETURNING members INTO ranked;
    IF ranked = 0 THEN ${remove}; END IF;
  END;`
const rankDogs = (row: 'new' | 'old', by: 1 | -1) =>
  rank(
    `INSERT INTO ranking_dogs AS t VALUES (${row}.dogs_count, ${by})
      ON CONFLICT (dogs) DO UPDATE SET members = t.members + excluded.members`,
    `DELETE FROM ranking_dogs WHERE dogs = ${row}.dogs_count AND members = 0`,
  )
const rankLikes = (row: 'new' | 'old', by: 1 | -1) =>
  rank(
    `INSERT INTO ranking_likes AS t VALUES (${row}.dogs_count, ${row}.likes_count, ${by})
      ON CONFLICT (dogs, likes) DO UPDATE SET members = t.members + excluded.members`,
    `DELETE FROM ranking_likes WHERE dogs = ${row}.dogs_count AND likes = ${row}.likes_count AND members = 0`,
  )

/** The lower count first. */
const inOrder = (key: (row: 'new' | 'old') => string, rank: typeof rankDogs) => `
  IF ${key('old')} < ${key('new')} THEN ${rank('old', -1)} ${rank('new', 1)}
  ELSE ${rank('new', 1)} ${rank('old', -1)} END IF;`

const ranking = [
  trigger('profiles_ranked', 'INSERT ON profiles', `${rankDogs('new', 1)} ${rankLikes('new', 1)}`, {
    isDeferred: true,
  }),
  trigger('profiles_unranked', 'DELETE ON profiles', `${rankDogs('old', -1)} ${rankLikes('old', -1)}`, {
    isDeferred: true,
  }),
  trigger(
    'profiles_reranked_dogs',
    'UPDATE OF dogs_count ON profiles',
    inOrder((row) => `${row}.dogs_count`, rankDogs),
    { when: differs('dogs_count'), isDeferred: true },
  ),
  trigger(
    'profiles_reranked_likes',
    'UPDATE OF dogs_count, likes_count ON profiles',
    inOrder((row) => `(${row}.dogs_count, ${row}.likes_count)`, rankLikes),
    { when: differs('dogs_count', 'likes_count'), isDeferred: true },
  ),
]

const profiles = [
  // A profile may be inserted after its first dog or like (an account from a provider): its counts start from the rows.
  trigger(
    'profiles_added',
    'INSERT ON profiles',
    `PERFORM FROM users WHERE id = new.id FOR UPDATE;
    UPDATE profiles SET
      dogs_count = (SELECT count(*) FROM member_dogs WHERE user_id = new.id),
      breeds_count = (SELECT count(*) FROM member_breeds WHERE user_id = new.id),
      likes_count = (SELECT count(*) FROM dog_likes WHERE user_id = new.id)
      WHERE id = new.id;`,
  ),
  trigger('profiles_counted', 'INSERT ON profiles', `UPDATE totals SET value = value + 1 WHERE name = 'profiles';`, {
    isDeferred: true,
  }),
  trigger('profiles_removed', 'DELETE ON profiles', `UPDATE totals SET value = value - 1 WHERE name = 'profiles';`, {
    isDeferred: true,
  }),
]

const nameWords = [
  trigger('dogs_unworded', 'DELETE ON dogs', 'DELETE FROM dog_words WHERE id = old.id;'),
  trigger('profiles_unworded', 'DELETE ON profiles', 'DELETE FROM member_words WHERE id = old.id;'),
]

/** All triggers. */
export const triggers: readonly string[] = [
  ...[...dogCounts, ...memberCounts].flat(),
  ...likeCounts,
  ...[...activityCounts, ...ranking, ...profiles, ...nameWords].flat(),
]
