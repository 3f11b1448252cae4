import type { Sqlite } from '#db/client.ts'
import { cacheTag } from '#server/cache-tags.ts'

/** Columns of `dogs` that are counts: a change of these alone moves no dog to another list. */
const COUNT_COLUMNS = ['votes', 'comments_count']
/** Columns of `profiles` that pages show of anyone. */
const PROFILE_COLUMNS_SHOWN = ['alias', 'emoji', 'verified']
/** The tag of a row, in SQL: `sqlTag(tag.dog, 'new.id')` is `'dog:' || new.id`. */
const sqlTag = (name: (id: string) => string, column: string) => `'${name('')}' || ${column}`
const sqlInvalidate = (...tags: string[]) => `SELECT ${tags.map((text) => `perrario_changed(${text})`).join(', ')};`
const sqlString = (text: string) => `'${text}'`
const sqlDiffers = (columns: string[]) => columns.map((name) => `old."${name}" IS NOT new."${name}"`).join(' OR ')

/** Whom a dog belongs to, in SQL; what is null tells nobody. */
const memberTagsOfDog = (row: string) =>
  ['owner_id', 'discoverer_id'].map((name) => sqlTag(cacheTag.member, `${row}.${name}`))
const dogRowTags = (row: string) => [
  sqlString(cacheTag.dogs),
  sqlTag(cacheTag.dog, `${row}.id`),
  sqlTag(cacheTag.breed, `${row}.breed_slug`),
  ...memberTagsOfDog(row),
]
const memberRowTags = (row: string) => [
  sqlString(cacheTag.members),
  sqlString(cacheTag.ranking),
  sqlTag(cacheTag.member, `${row}.id`),
]

/** How dogs become special stickers (features/dogs/card/card.ts): the `rank` most liked of those with `likes` or more. */
export interface HoloThreshold {
  likes: number
  rank: number
}

/** The dogs that may have entered the most liked, or left them, because of another: those at either side of the edge. */
const sqlDogsAtHoloThreshold = ({ likes, rank }: HoloThreshold) =>
  `SELECT id FROM dogs WHERE votes >= ${likes} ORDER BY votes DESC, id DESC LIMIT 2 OFFSET ${rank - 1}`
/** The dogs that may have become the first of their breed, or no longer be, because of another. */
const sqlFirstDogsOfBreed = (row: string) =>
  `SELECT id FROM dogs WHERE breed_slug = ${row}.breed_slug ORDER BY created_at, id LIMIT 2`
const sqlInvalidateDogs = (ids: string) => `SELECT perrario_changed(${sqlTag(cacheTag.dog, 'id')}) FROM (${ids});`

/** One trigger for each way in which a row that pages show may change: its table and event, when, and what it says. */
function listTriggers(dogColumns: string[], holo: HoloThreshold): [event: string, when: string, deed: string][] {
  const told = dogColumns.filter((name) => !COUNT_COLUMNS.includes(name))
  const ofDog = (table: string): [string, string, string][] => [
    [`INSERT ON ${table}`, '1', sqlInvalidate(sqlTag(cacheTag.dog, 'new.dog_id'))],
    [`DELETE ON ${table}`, '1', sqlInvalidate(sqlTag(cacheTag.dog, 'old.dog_id'))],
    [`UPDATE ON ${table}`, '1', sqlInvalidate(sqlTag(cacheTag.dog, 'new.dog_id'), sqlTag(cacheTag.dog, 'old.dog_id'))],
  ]
  return [
    ['INSERT ON dogs', '1', sqlInvalidate(...dogRowTags('new')) + sqlInvalidateDogs(sqlFirstDogsOfBreed('new'))],
    [
      'DELETE ON dogs',
      '1',
      sqlInvalidate(...dogRowTags('old')) +
        sqlInvalidateDogs(sqlFirstDogsOfBreed('old')) +
        sqlInvalidateDogs(sqlDogsAtHoloThreshold(holo)),
    ],
    ['UPDATE ON dogs', sqlDiffers(told), sqlInvalidate(...dogRowTags('new'), ...dogRowTags('old'))],
    [
      'UPDATE ON dogs',
      sqlDiffers(['breed_slug', 'created_at']),
      sqlInvalidateDogs(sqlFirstDogsOfBreed('new')) + sqlInvalidateDogs(sqlFirstDogsOfBreed('old')),
    ],
    ['UPDATE ON dogs', sqlDiffers(COUNT_COLUMNS), sqlInvalidate(sqlTag(cacheTag.dog, 'new.id'))],
    ['UPDATE ON dogs', sqlDiffers(['votes']), sqlInvalidate(sqlString(cacheTag.votes))],
    [
      'UPDATE ON dogs',
      `old.votes != new.votes AND max(old.votes, new.votes) >= ${holo.likes}`,
      sqlInvalidateDogs(sqlDogsAtHoloThreshold(holo)),
    ],
    ...['dog_images', 'dog_likes', 'comments', 'ownership_requests'].flatMap(ofDog),
    ['INSERT ON profiles', '1', sqlInvalidate(...memberRowTags('new'))],
    ['DELETE ON profiles', '1', sqlInvalidate(...memberRowTags('old'))],
    ['UPDATE ON profiles', sqlDiffers(PROFILE_COLUMNS_SHOWN), sqlInvalidate(...memberRowTags('new'))],
    ['UPDATE ON profiles', '1', sqlInvalidate(sqlString(cacheTag.ranking), sqlTag(cacheTag.member, 'new.id'))],
    ['INSERT ON breed_overrides', '1', sqlInvalidate(sqlString(cacheTag.breeds))],
    ['UPDATE ON breed_overrides', '1', sqlInvalidate(sqlString(cacheTag.breeds))],
    ['DELETE ON breed_overrides', '1', sqlInvalidate(sqlString(cacheTag.breeds))],
  ]
}

/** Tables that no kept page reads but through what is watched: kept by triggers from it, or never shown to a visitor. */
export const UNTRACKED_TABLES = [
  'users',
  'account_erasures',
  'sessions',
  'sign_in_tokens',
  'sign_in_devices',
  'oauth_accounts',
  // An address leads to a dog, which is watched; a lost one is never kept longer than `dogs` stays as it is.
  'dog_paths',
  'dog_claims',
  'idempotency_keys',
  'notifications',
  'notice_settings',
  'push_subscriptions',
  'push_queue',
  'digests',
  'digest_runs',
  'geocodes',
  'events',
  'member_dogs',
  'member_breeds',
  'dog_tallies',
  'dog_day_tallies',
  // Told apart from pages, by /api/today.
  'like_hour_tallies',
  'totals',
  'ranking_dogs',
  'ranking_likes',
  // Searches are rendered each time.
  'dog_words',
  'member_words',
  'search_letters',
  // Who is hidden is gone from what is watched; the rest is shown to members and the admin.
  'reports',
  'report_keys',
  'cases',
  'decisions',
  'decision_people',
  'held',
  'bans',
  'ban_digests',
  'ban_keys',
  'blocks',
  'daily_budgets',
  'photo_moves',
]

/** The tables that `watchChanges` hears; tests/unit/app/page-cache/invalidation holds them against the schema. */
export const trackedTables = (): string[] => [
  ...new Set(
    listTriggers([...COUNT_COLUMNS, 'name'], { likes: 1, rank: 1 }).map(([event]) => event.split(' ').at(-1)!),
  ),
]

/**
 * Calls `tell` with the tags of every change that any writer of this connection makes, when the row changes: before the
 * commit, and for what is rolled back too. That is early enough, since whoever reads for a page waits for the transaction
 * (one connection, given to one caller at a time), and no writer can forget it. Triggers are temporary: they live in this
 * connection, not in the file.
 * @returns asks whether another process wrote since it last asked (npm run admin): which rows, nobody can tell
 */
export function installInvalidationTriggers(
  sqlite: Sqlite,
  tell: (tag: string) => void,
  holo: HoloThreshold,
): () => boolean {
  sqlite.function('perrario_changed', (name: unknown) => {
    if (name !== null) tell(String(name))
    return null
  })
  const columns = (sqlite.pragma('table_info(dogs)') as { name: string }[]).map(({ name }) => name)
  listTriggers(columns, holo).forEach(([event, when, deed], i) =>
    sqlite.exec(
      `CREATE TEMP TRIGGER perrario_seen_${i} AFTER ${event.replace(' ON ', ' ON main.')} WHEN ${when} BEGIN ${deed} END`,
    ),
  )
  const version = sqlite.prepare('PRAGMA data_version').pluck()
  let seen = version.get()
  return () => {
    const before = seen
    seen = version.get()
    return seen !== before
  }
}
