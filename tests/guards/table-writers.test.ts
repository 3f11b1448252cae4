import { CONTENT } from '#db/content.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

/** Tables that triggers keep have no writer. */
const KEPT_BY_TRIGGERS = [
  'member_dogs',
  'member_breeds',
  'dog_tallies',
  'dog_day_tallies',
  'like_hour_tallies',
  'province_breeds',
  'totals',
  'ranking_dogs',
  'ranking_likes',
]

/** Which tables each feature writes (db/schema.ts names it too). */
const WRITTEN_BY = {
  auth: [
    'users',
    'sessions',
    'sign_in_tokens',
    'oauth_accounts',
    'passkeys',
    'email_changes',
    'account_devices',
    'sign_in_alerts',
    'security_log',
  ],
  secrets: ['secrets'],
  account: ['account_erasures', 'account_deletions', 'first_days'],
  dogs: [
    'left_roles',
    'dogs_all',
    'dog_paths',
    'dog_images_all',
    'ownership_requests_all',
    'idempotency_keys',
    'dog_words',
  ],
  profiles: ['profiles_all', 'member_words'],
  likes: ['dog_likes_all'],
  comments: ['comments_all'],
  notifications: ['notifications_all', 'push_subscriptions', 'notice_settings', 'push_queue', 'push_keys', 'digests'],
  follows: ['follows'],
  outbox: ['jobs'],
  riddle: ['riddles', 'riddle_guesses'],
  badges: ['badges', 'challenge_entries'],
  years: ['member_years', 'community_years'],
  contact: [
    'contact_threads',
    'contact_messages',
    'contact_mails',
    'reported_messages',
    'sighting_refusals',
    'sighting_keys',
  ],
  found: ['found_notices_all', 'found_photos', 'found_matches', 'found_claims', 'found_reports', 'found_scans'],
  lost: ['lost_cases', 'lost_history', 'lost_alert_settings', 'lost_alerted_dogs'],
  opinions: ['opinion_requests', 'breed_opinions_all'],
  sightings: ['sightings_all', 'sighting_photos'],
  breeds: ['breed_overrides'],
  live: ['events'],
  places: ['geocodes'],
  photos: ['daily_budgets'],
  nearby: ['home_zones'],
  reports: ['reports', 'report_keys'],
  moderation: ['cases', 'decisions', 'decision_people', 'admin_log', 'bans', 'ban_digests', 'ban_keys', 'blocks'],
}
const WRITER: Record<string, string | null> = Object.fromEntries([
  ...KEPT_BY_TRIGGERS.map((table) => [table, null]),
  ...Object.entries(WRITTEN_BY).flatMap(([writer, tables]) => tables.map((table) => [table, writer])),
])

const WRITES = /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"`](\w+)/g

/** A write whose table a variable names. */
const WRITES_BY_VARIABLE = /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*[^\s'"`]/
/** A write in SQL. Triggers («UPDATE ON dogs», «DO UPDATE SET») are none. */
const WRITES_IN_SQL =
  /\b(?:INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|DELETE FROM|UPDATE(?! ON\b| SET\b))\s+(\$\{[^}]*\}|[a-z]\w*)/g

/** Files that write otherwise than by a table's name in a query of its feature, and what. */
const OTHER_WRITES: Record<string, string> = {
  'src/features/account/personal-data/erase-rows.server.ts':
    'what the list of personal data says of an account that ends',
  'src/features/account/personal-data/expired-rows.server.ts': 'the same of rows whose time is over',
  'src/features/moderation/content.server.ts': 'why content is hidden, in the tables of db/content.ts',
  'db/request-answers.ts': 'the keys and answers of requests, whatever they are to',
  'db/sighting-photos.ts': 'photos of sightings, before what they go with: a case, its dog, a member',
  'db/undone-deletions.ts': 'a deletion that a dispute undoes',
  'db/migration-names.ts': 'the table of the migrations',
  'src/features/maintenance/count-drift.server.ts': 'counts that triggers keep',
  'db/dialect/bulk-load.ts': 'whole tables, for a move into an empty database',
  'db/dialect/lost-triggers.ts':
    'triggers queue lost dogs that members are alerted of, and write down which cases have ended',
  'db/dialect/province-triggers.ts': 'triggers of a tally and of a queue',
  'src/features/maintenance/move/move-rows.server.ts': 'the two tables that a move keeps while it lasts',
}

/** The demo makes rows as if weeks had been lived in: nobody's orders, and no feature's. */
const SOURCES = listFiles(['src'], ['.ts', '.tsx', '.astro']).filter((path) => !path.startsWith('src/app/demo/'))

const guard = suite('writers')

guard('one feature writes a table', () => {
  const faults: string[] = []
  for (const path of SOURCES)
    for (const [, table] of readSource(path).matchAll(WRITES)) {
      const writer = WRITER[table!]
      if (writer === undefined)
        faults.push(`${path} writes ${table}: name its writer in tests/guards/table-writers.test.ts`)
      else if (!path.startsWith(`src/features/${writer}/`))
        faults.push(`${path} writes ${table}: call ${writer ?? 'nobody, triggers keep it'}`)
    }
  assert.equal(faults, [])
})

/** Writes in SQL that are not the feature's own, writes whose table a variable names, and any outside the features. */
function findOtherWrites(path: string): string[] {
  const source = readSource(path)
  const inSql = [...source.matchAll(WRITES_IN_SQL)]
    .map(([, table]) => table!)
    .filter((table) => !path.startsWith(`src/features/${WRITER[table]}/`))
  const isOutside = path.startsWith('db/') && [...source.matchAll(WRITES)].length > 0
  return [...inSql, ...(WRITES_BY_VARIABLE.test(source) ? ['a variable'] : []), ...(isOutside ? ['a table'] : [])]
}

/**
 * A member's own pages and archive show what is theirs, which goes with their account; who follows from behind a hidden profile is counted out;
 * likes of hidden dogs are taken back, and follow their dog; the doctor recounts all, and looks for all files.
 */
const OTHER_READERS = [
  'src/features/account/',
  'src/features/reports/hidden/',
  'src/features/follows/follows.server.ts',
  'src/features/likes/',
  'src/features/maintenance/count-drift.server.ts',
  'src/features/maintenance/database-contents.server.ts',
]

guard('the tables behind views are named by their writers and by the review', () => {
  const tables = Object.values(CONTENT).map(({ table }) => table)
  const mayName = (path: string, table: string) =>
    path.startsWith(`src/features/${WRITER[table]}/`) ||
    path.startsWith('src/features/moderation/') ||
    OTHER_READERS.some((reader) => path.startsWith(reader))
  const faults = SOURCES.flatMap((path) =>
    tables
      .filter((table) => readSource(path).includes(`'${table}`) && !mayName(path, table))
      .map((table) => `${path}: ${table}`),
  )
  assert.equal(faults, [])
})

/** These write blocks, bans and deletions, or show somebody their own; who sees whom is asked of moderation/visibility.server.ts. */
const NAME_RELATIONS =
  /^src\/features\/(?:moderation\/|account\/(?:erase|deletion\/|export\/export-moderation)|auth\/sessions\/sessions.server|reports\/blocks\/block-member|maintenance\/doctor\/)/

guard('blocks, bans and leaving accounts are asked of one file', () => {
  const relations =
    /['"`](?:blocks|bans|account_deletions|account_erasures)[ '"`.]|\b(?:FROM|JOIN) (?:blocks|bans|account_)/i
  assertNone(
    SOURCES,
    (path) => relations.test(readSource(path)) && !NAME_RELATIONS.test(path),
    'ask visibleTo or isVisibleTo, for a use of its table',
  )
})

guard('other writes are those that are written down', () => {
  const files = [...SOURCES, ...listFiles(['db'], ['.ts'])].filter(
    (path) => !/^db\/(migrations|dialect\/postgres)\//.test(path),
  )
  assert.equal(
    files.filter((path) => findOtherWrites(path).length > 0).toSorted(),
    Object.keys(OTHER_WRITES).toSorted(),
    'name the table in a query of the feature that writes it, or say in OTHER_WRITES what is written',
  )
})

guard('every table of the schema has its writer named', () => {
  const schema = readSource('db/schema.ts')
  const tables = [...schema.slice(schema.indexOf('export interface Schema')).matchAll(/^ {2}(\w+):/gm)].map(
    (m) => m[1]!,
  )
  assert.ok(tables.length > 10)
  assertNone(tables, (table) => !(table in WRITER))
})

guard('queries stand in .server.ts files', () => {
  const queries = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/
  const faults = SOURCES.filter(
    (path) => queries.test(readSource(path)) && !path.endsWith('.server.ts') && path !== 'src/server/db.ts',
  )
  assert.equal(faults, [])
})
