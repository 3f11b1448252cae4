import { cacheTag, COUNT_CHANGE_PREFIX } from '#server/cache-tags.ts'

/** Columns of `dogs` that are counts: a change of only these moves no dog to another list. */
const COUNT_COLUMNS = ['votes', 'comments_count']
/** Tables whose new rows add to what a dog's page counts and lists. They change a count of the dog, by which they are noticed. */
const COUNTED_TABLES = ['dog_likes', 'comments']
/** Columns of `profiles` that pages show of every member. */
const DISPLAYED_PROFILE_COLUMNS = ['alias', 'emoji', 'verified']
/** Columns of `lost_cases` that cached pages show (features/lost/open-cases.server.ts), or list by: without questions and alerts. */
const DISPLAYED_CASE_COLUMNS = [
  'owner_id',
  'since',
  'zone',
  'province',
  'shown_lat',
  'shown_lon',
  'help',
  'chip',
  'code',
  'opened_at',
  'updated_at',
]
/** Columns of `lost_history` from which a dog's page knows that its owner thanks those who helped. */
const DISPLAYED_HISTORY_COLUMNS = ['ended_at', 'thanked_at']
/** Cache tags as SQL expressions, of each row of a query where there is one. The SQL is such as SQLite and PostgreSQL both read. */
interface Invalidation {
  tags: readonly string[]
  from?: string
}

/** The cache tag of a row as an SQL expression: `sqlTag(cacheTag.dog, 'new.id')` is `'dog:' || new.id`. */
const sqlTag = (name: (id: string) => string, column: string) => `'${name('')}' || ${column}`
const invalidate = (...tags: string[]): Invalidation => ({ tags })
const sqlString = (text: string) => `'${text}'`
/** The tags of a change that adds to counts and takes nothing away. */
const countChange = (...tags: string[]) => invalidate(...tags.map((tag) => `'${COUNT_CHANGE_PREFIX}' || ${tag}`))
const sqlDiffers = (columns: string[]) =>
  columns.map((name) => `old."${name}" IS DISTINCT FROM new."${name}"`).join(' OR ')

/** Tags of a dog's owner and discoverer as SQL expressions; null, which invalidates nothing, where there is none. */
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

/** The dogs at both sides of the holo threshold: a change of another dog may have moved either one across it. */
const sqlDogsAtHoloThreshold = ({ likes, rank }: HoloThreshold) =>
  `SELECT id FROM dogs WHERE votes >= ${likes} ORDER BY votes DESC, id DESC LIMIT 2 OFFSET ${rank - 1}`
/** The first two dogs of a breed: a change of another dog may have made either one the first, or no longer the first. */
const sqlFirstDogsOfBreed = (row: string) =>
  `SELECT id FROM dogs WHERE breed_slug = ${row}.breed_slug ORDER BY created_at, id LIMIT 2`
/** Photos of the community on a breed's page: those of its most liked dogs (features/album/breed/breed-page.server.ts). */
const BREED_PHOTOS = 4
/** A row where the dog is among the most liked of its breed, by the index dogs_breed_votes. */
const sqlIsInBreedPhotos = (row: string) =>
  `SELECT 1 FROM (SELECT id FROM dogs WHERE breed_slug = ${row}.breed_slug ORDER BY votes DESC, id DESC LIMIT ${BREED_PHOTOS}) AS top WHERE top.id = ${row}.id`
const invalidateDogs = (ids: string): Invalidation => ({ tags: [sqlTag(cacheTag.dog, 'id')], from: ids })
const countDogs = (ids: string): Invalidation => ({ ...countChange(sqlTag(cacheTag.dog, 'id')), from: ids })

const invalidateSightedDog = (row: string): Invalidation => ({
  tags: [sqlTag(cacheTag.dog, 'dog_id')],
  from: `SELECT dog_id FROM lost_cases WHERE id = ${row}.case_id`,
})

const invalidateDogsSightedBy = (row: string): Invalidation => ({
  tags: [sqlTag(cacheTag.dog, 'dog_id')],
  from: `SELECT DISTINCT c.dog_id FROM sightings AS s JOIN lost_cases AS c ON c.id = s.case_id WHERE s.member_id = ${row}.user_id`,
})

/** An AFTER trigger: its event with the table (`INSERT ON dogs`), its condition in SQL and what it invalidates. */
type Trigger = [event: string, condition: string, invalidations: readonly Invalidation[]]

/**
 * Triggers for the rows of a table.
 * @param columns that pages show: a change of others invalidates nothing. By default all.
 */
const onEveryRow = (table: string, tagsOf: (row: 'new' | 'old') => string[], columns?: string[]): Trigger[] => [
  [`INSERT ON ${table}`, 'true', [invalidate(...tagsOf('new'))]],
  [`UPDATE ON ${table}`, columns ? sqlDiffers(columns) : 'true', [invalidate(...tagsOf('new'), ...tagsOf('old'))]],
  [`DELETE ON ${table}`, 'true', [invalidate(...tagsOf('old'))]],
]

/** Calls of `perrario_changed`, which each database has as a function, without the word before them. */
export const sqlCalls = ({ tags, from }: Invalidation): string =>
  `${tags.map((tag) => `perrario_changed(${tag})`).join(', ')}${from === undefined ? '' : ` FROM (${from}) AS found`}`

/** One trigger for each way in which a row that pages show may change. */
export function listTriggers(dogColumns: string[], holo: HoloThreshold): Trigger[] {
  const contentColumns = dogColumns.filter((name) => !COUNT_COLUMNS.includes(name))
  const invalidateDogOf = (table: string): Trigger[] => [
    ...(COUNTED_TABLES.includes(table)
      ? []
      : [[`INSERT ON ${table}`, 'true', [invalidate(sqlTag(cacheTag.dog, 'new.dog_id'))]] satisfies Trigger]),
    [`DELETE ON ${table}`, 'true', [invalidate(sqlTag(cacheTag.dog, 'old.dog_id'))]],
    [
      `UPDATE ON ${table}`,
      'true',
      [invalidate(sqlTag(cacheTag.dog, 'new.dog_id'), sqlTag(cacheTag.dog, 'old.dog_id'))],
    ],
  ]
  return [
    ['INSERT ON dogs', 'true', [invalidate(...dogRowTags('new')), invalidateDogs(sqlFirstDogsOfBreed('new'))]],
    [
      'DELETE ON dogs',
      'true',
      [
        invalidate(...dogRowTags('old')),
        invalidateDogs(sqlFirstDogsOfBreed('old')),
        invalidateDogs(sqlDogsAtHoloThreshold(holo)),
      ],
    ],
    ['UPDATE ON dogs', sqlDiffers(contentColumns), [invalidate(...dogRowTags('new'), ...dogRowTags('old'))]],
    [
      'UPDATE ON dogs',
      sqlDiffers(['breed_slug', 'created_at']),
      [invalidateDogs(sqlFirstDogsOfBreed('new')), invalidateDogs(sqlFirstDogsOfBreed('old'))],
    ],
    ['UPDATE ON dogs', sqlDiffers(COUNT_COLUMNS), [countChange(sqlTag(cacheTag.dog, 'new.id'))]],
    ['UPDATE ON dogs', sqlDiffers(['votes']), [countChange(sqlString(cacheTag.votes))]],
    // A dog that leaves the photos is on the page by its own tag.
    [
      'UPDATE ON dogs',
      'new.votes > old.votes',
      [{ ...countChange(sqlTag(cacheTag.breed, 'new.breed_slug')), from: sqlIsInBreedPhotos('new') }],
    ],
    [
      'UPDATE ON dogs',
      `old.votes != new.votes AND (old.votes >= ${holo.likes} OR new.votes >= ${holo.likes})`,
      [countDogs(sqlDogsAtHoloThreshold(holo))],
    ],
    ...['dog_images', 'dog_likes', 'comments', 'ownership_requests', 'opinion_requests', 'breed_opinions'].flatMap(
      invalidateDogOf,
    ),
    // A dog's page counts the sightings. Those that go with their case are told by the case.
    ['INSERT ON sightings', 'true', [invalidateSightedDog('new')]],
    ['UPDATE ON sightings', sqlDiffers(['state']), [invalidateSightedDog('new')]],
    ['DELETE ON sightings', 'true', [invalidateSightedDog('old')]],
    // Sightings of who waits for the deletion of their account are not counted; a restore counts them again.
    ['INSERT ON account_deletions', 'true', [invalidateDogsSightedBy('new')]],
    ['DELETE ON account_deletions', 'true', [invalidateDogsSightedBy('old')]],
    ['INSERT ON profiles', 'true', [invalidate(...memberRowTags('new'))]],
    ['DELETE ON profiles', 'true', [invalidate(...memberRowTags('old'))]],
    ['UPDATE ON profiles', sqlDiffers(DISPLAYED_PROFILE_COLUMNS), [invalidate(...memberRowTags('new'))]],
    ['UPDATE ON profiles', 'true', [invalidate(sqlString(cacheTag.ranking), sqlTag(cacheTag.member, 'new.id'))]],
    ['INSERT ON breed_overrides', 'true', [invalidate(sqlString(cacheTag.breeds))]],
    ['UPDATE ON breed_overrides', 'true', [invalidate(sqlString(cacheTag.breeds))]],
    ['DELETE ON breed_overrides', 'true', [invalidate(sqlString(cacheTag.breeds))]],
    ...onEveryRow('badges', (row) => [sqlTag(cacheTag.member, `${row}.user_id`)]),
    ...onEveryRow('challenge_entries', (row) => [
      sqlString(cacheTag.challenge),
      sqlTag(cacheTag.member, `${row}.user_id`),
    ]),
    // A queued member's badges are decided when they are read: by dogs of others, too, which have the first of a breed.
    ['INSERT ON badge_queue', 'true', [invalidate(sqlTag(cacheTag.member, 'new.user_id'))]],
    ['UPDATE ON badge_queue', 'true', [invalidate(sqlTag(cacheTag.member, 'new.user_id'))]],
    // A card and a page say that their dog is lost, or that it is at home again.
    ...onEveryRow(
      'lost_cases',
      (row) => [sqlString(cacheTag.lost), sqlTag(cacheTag.dog, `${row}.dog_id`)],
      DISPLAYED_CASE_COLUMNS,
    ),
    ...onEveryRow('lost_history', (row) => [sqlTag(cacheTag.dog, `${row}.dog_id`)], DISPLAYED_HISTORY_COLUMNS),
    ['INSERT ON community_years', 'true', [invalidate(sqlString(cacheTag.years))]],
    ['UPDATE ON community_years', 'true', [invalidate(sqlString(cacheTag.years))]],
    ['DELETE ON community_years', 'true', [invalidate(sqlString(cacheTag.years))]],
  ]
}

/** Tables without a trigger: triggers derive them from tracked tables, or no cached page shows them. */
export const UNTRACKED_TABLES = [
  'users',
  'account_erasures',
  'withdrawn_rows',
  'sessions',
  'sign_in_tokens',
  'sign_in_devices',
  'oauth_accounts',
  'passkeys',
  'passkey_challenges',
  'recovery_codes',
  'email_changes',
  'account_devices',
  'sign_in_alerts',
  'security_log',
  // An address leads to a dog, which is tracked. The page of an unknown address depends on the tag `dogs`.
  'dog_paths',
  'dog_claims',
  'idempotency_keys',
  'notifications',
  'detached_lines',
  'notice_settings',
  'push_subscriptions',
  'push_queue',
  'push_keys',
  'digests',
  'digest_runs',
  'geocodes',
  'events',
  'member_dogs',
  'member_breeds',
  'dog_tallies',
  'dog_day_tallies',
  // Shown by /api/today, not by pages.
  'like_hour_tallies',
  'totals',
  'ranking_dogs',
  'ranking_likes',
  // Searches are rendered each time.
  'dog_words',
  'member_words',
  // Hiding removes rows from tracked tables; the rest is shown to members and the admin only.
  'reports',
  'report_keys',
  'cases',
  'decisions',
  'decision_people',
  'held',
  'held_photos',
  'held_comments',
  'held_likes',
  'held_requests',
  'admin_log',
  'bans',
  'ban_digests',
  'ban_keys',
  'blocks',
  'daily_budgets',
  'photo_moves',
  // Shown to their member alone, or filled in for each.
  'follows',
  'follow_alerts',
  // A day's riddle never changes; pages with guesses are not cached.
  'riddles',
  'riddle_guesses',
  // Derived from dogs; home zones are on pages of their member alone.
  'province_breeds',
  'home_zones',
  // On a page that is rendered each time.
  'lost_alert_settings',
  'lost_alert_queue',
  'lost_alert_mails',
  'lost_alert_ends',
  'lost_alerted_dogs',
  'lost_homecomings',
  'dog_arrivals',
  // Of the member's own profile.
  'first_days',
  // Pages with a link, and those about one, are not cached.
  'album_links',
  // A member's year is rendered each time.
  'member_years',
  'year_links',
  'memory_runs',
  // Shown to the owner and the admin alone.
  'sighting_photos',
  'sighting_refusals',
  'sighting_keys',
  // Of the two who talk: their pages are not cached.
  'contact_threads',
  'contact_messages',
  'contact_mails',
  'reported_messages',
  // Their pages are rendered each time.
  'found_notices',
  'found_photos',
  'found_matches',
  'found_claims',
  'found_reports',
  'found_scans',
]

/** The tables with a trigger; tests/unit/app/page-cache/invalidation compares them with the schema. */
export const trackedTables = (): string[] => [
  ...new Set(
    listTriggers([...COUNT_COLUMNS, 'name'], { likes: 1, rank: 1 }).map(([event]) =>
      event.slice(event.lastIndexOf(' ') + 1),
    ),
  ),
]
