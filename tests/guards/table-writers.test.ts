import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CONTENT } from '#db/content.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'

/** Which feature writes each table (db/schema.ts names it too). Tables maintained by triggers have no writer. */
const WRITER: Record<string, string | null> = {
  users: 'auth',
  sessions: 'auth',
  sign_in_tokens: 'auth',
  oauth_accounts: 'auth',
  passkeys: 'auth',
  secrets: 'secrets',
  email_changes: 'auth',
  account_devices: 'auth',
  sign_in_alerts: 'auth',
  security_log: 'auth',
  account_erasures: 'account',
  account_deletions: 'account',
  left_roles: 'dogs',
  profiles_all: 'profiles',
  dogs_all: 'dogs',
  dog_paths: 'dogs',
  dog_images_all: 'dogs',
  ownership_requests_all: 'dogs',
  idempotency_keys: 'dogs',
  dog_likes_all: 'likes',
  comments_all: 'comments',
  notifications_all: 'notifications',
  member_dogs: null,
  member_breeds: null,
  dog_tallies: null,
  dog_day_tallies: null,
  like_hour_tallies: null,
  province_breeds: null,
  totals: null,
  ranking_dogs: null,
  ranking_likes: null,
  dog_words: 'dogs',
  member_words: 'profiles',
  follows: 'follows',
  jobs: 'outbox',
  first_days: 'account',
  riddles: 'riddle',
  riddle_guesses: 'riddle',
  badges: 'badges',
  challenge_entries: 'badges',
  member_years: 'years',
  community_years: 'years',
  contact_threads: 'contact',
  contact_messages: 'contact',
  contact_mails: 'contact',
  reported_messages: 'contact',
  found_notices_all: 'found',
  found_photos: 'found',
  found_matches: 'found',
  found_claims: 'found',
  found_reports: 'found',
  found_scans: 'found',
  lost_cases: 'lost',
  lost_history: 'lost',
  opinion_requests: 'opinions',
  breed_opinions_all: 'opinions',
  lost_alert_settings: 'lost',
  lost_alerted_dogs: 'lost',
  sightings_all: 'sightings',
  sighting_photos: 'sightings',
  sighting_refusals: 'contact',
  sighting_keys: 'contact',
  breed_overrides: 'breeds',
  events: 'live',
  geocodes: 'places',
  daily_budgets: 'photos',
  push_subscriptions: 'notifications',
  notice_settings: 'notifications',
  push_queue: 'notifications',
  push_keys: 'notifications',
  digests: 'notifications',
  home_zones: 'nearby',
  reports: 'reports',
  report_keys: 'reports',
  cases: 'moderation',
  decisions: 'moderation',
  decision_people: 'moderation',
  admin_log: 'moderation',
  bans: 'moderation',
  ban_digests: 'moderation',
  ban_keys: 'moderation',
  blocks: 'moderation',
}

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
  assert.equal(
    SOURCES.filter((path) => relations.test(readSource(path)) && !NAME_RELATIONS.test(path)),
    [],
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
  assert.equal(
    tables.filter((table) => !(table in WRITER)),
    [],
  )
})

guard('queries stand in .server.ts files', () => {
  const queries = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/
  const faults = SOURCES.filter(
    (path) => queries.test(readSource(path)) && !path.endsWith('.server.ts') && path !== 'src/server/db.ts',
  )
  assert.equal(faults, [])
})

guard.run()
