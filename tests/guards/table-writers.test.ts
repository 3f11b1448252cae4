import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listFiles, readSource } from '#tests/support/sources.ts'

/** Which feature writes each table (db/schema.ts names it too). Tables maintained by triggers have no writer. */
const WRITER: Record<string, string | null> = {
  users: 'auth',
  sessions: 'auth',
  sign_in_tokens: 'auth',
  sign_in_devices: 'auth',
  oauth_accounts: 'auth',
  account_erasures: 'account',
  profiles: 'profiles',
  dogs: 'dogs',
  dog_paths: 'dogs',
  dog_images: 'dogs',
  dog_claims: 'dogs',
  ownership_requests: 'dogs',
  idempotency_keys: 'dogs',
  dog_likes: 'likes',
  comments: 'comments',
  notifications: 'notifications',
  member_dogs: null,
  member_breeds: null,
  dog_tallies: null,
  dog_day_tallies: null,
  like_hour_tallies: null,
  totals: null,
  ranking_dogs: null,
  ranking_likes: null,
  dog_words: null,
  member_words: null,
  search_letters: null,
  breed_overrides: 'breeds',
  events: 'live',
  geocodes: 'places',
  daily_budgets: 'photos',
  push_subscriptions: 'notifications',
  notice_settings: 'notifications',
  push_queue: 'notifications',
  digests: 'notifications',
  digest_runs: 'notifications',
  reports: 'reports',
  report_keys: 'reports',
  cases: 'moderation',
  decisions: 'moderation',
  decision_people: 'moderation',
  held: 'moderation',
  held_photos: 'moderation',
  held_comments: 'comments',
  held_likes: 'likes',
  held_requests: 'dogs',
  photo_moves: 'photos',
  bans: 'moderation',
  ban_digests: 'moderation',
  ban_keys: 'moderation',
  blocks: 'moderation',
}

const WRITES = /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"`](\w+)/g

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
