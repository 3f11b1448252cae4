import { migrate, sqliteOf } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'
import { transact } from '#db/transact.ts'
import { putInDispute } from '#features/auth/dispute/dispute.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { countTables, readSchemaShape, takeInventory } from '#tests/support/earlier-databases/inventory.ts'
import { EARLIER_VERSIONS, type EarlierVersion, readEarlierFiles } from '#tests/support/earlier-databases/unpack.ts'
import { listBrokenReferences, readAllRows } from '#tests/support/rows.ts'
import { assert, assertNone, type Db, listDriftedCounts, suite } from '#tests/support/suites.ts'

const becameJobs = (...tables: string[]) => Object.fromEntries(tables.map((table) => [table, 'its rows are jobs']))
const hiddenAreBack = (...tables: string[]) =>
  Object.fromEntries(tables.map((table) => [table, 'what is hidden is among its rows again']))

/** Tables whose number of rows a migration changes, besides that of the migrations, by version, with the reason. */
const CHANGED_COUNTS: Record<EarlierVersion, Record<string, string>> = {
  '62beae7': {
    ...hiddenAreBack('comments'),
    ...becameJobs('digest_runs'),
    ...hiddenAreBack('dog_claims', 'dog_images', 'dog_likes', 'dogs'),
    events: 'the last stays, without content',
    ...hiddenAreBack('held', 'idempotency_keys'),
    notifications: 'CHANGED_LINES',
    ...hiddenAreBack('ownership_requests', 'profiles'),
    search_letters: 'letters are folded by the program since',
  },
  '12cacb85': {
    album_links: 'they are among the secrets',
    badge_queue: 'its members are jobs, and those of dogs that are back',
    ...hiddenAreBack('breed_opinions', 'comments', 'detached_lines'),
    ...becameJobs('digest_runs', 'dog_arrivals'),
    ...hiddenAreBack('dog_claims', 'dog_images', 'dog_likes', 'dogs'),
    events: 'the last stays, without content',
    ...becameJobs('follow_alerts'),
    ...hiddenAreBack('held', 'held_comments', 'held_likes', 'held_photos', 'held_requests', 'idempotency_keys'),
    ...becameJobs('lost_alert_ends', 'lost_alert_mails', 'lost_alert_queue', 'lost_homecomings', 'memory_runs'),
    ...hiddenAreBack('ownership_requests'),
    passkey_challenges: 'good for minutes: a sign-in that was begun before the update is begun again',
    photo_moves: 'they are jobs, with those of files that are to come back',
    ...hiddenAreBack('profiles'),
    recovery_codes: 'they are among the secrets',
    sign_in_alerts: 'links that undo a change of address are among them',
    sign_in_devices: 'they are among the devices of accounts',
    ...hiddenAreBack('withdrawn_rows'),
    year_links: 'they are among the secrets',
  },
}
/** Lines of bells that a migration changes or deletes, with the reason. */
const CHANGED_LINES: Record<string, string> = {
  '71db62d0-3554-4c8c-8c5a-37a62abdadce': 'about a dog that was deleted: it goes with the dog',
  '90407425-7418-4111-ba0b-fd5b6539c9f8': 'about a dog that is hidden: it keeps its dog, and is shown with it',
  '1340b8ed-4874-45ab-beaa-337af7c004dc': 'the same',
  '02246587-d63b-4a9a-8d80-a08c21d893b3': 'names a profile that is hidden: the name is looked up when it is read',
}
const isUnchanged = (line: string) => !Object.keys(CHANGED_LINES).some((id) => line.includes(id))
/** What one side has and the other has not. */
const differences = (before: readonly string[], after: readonly string[]) => [
  ...before.filter((line) => !after.includes(line)).map((line) => `lost: ${line}`),
  ...after.filter((line) => !before.includes(line)).map((line) => `new: ${line}`),
]

/** How much waits in the queues that a migration makes jobs of. */
function countQueued(db: Db, counts: Record<string, number>): number {
  const queues = Object.values(CHANGED_COUNTS).flatMap((changed) =>
    Object.keys(changed).filter((table) => changed[table] === 'its rows are jobs' && !table.endsWith('_runs')),
  )
  const mails =
    counts.contact_mails === undefined
      ? 0
      : (sqliteOf(db).prepare('SELECT count(due_at) FROM contact_mails').pluck().get() as number)
  return [...new Set(queues)].reduce((sum, table) => sum + (counts[table] ?? 0), mails)
}
const fromBase64 = (hash: string) => Buffer.from(hash, 'base64url').toString('hex')
/** Where secrets were stored, hashed or not, with what they are hashed to. */
const SECRETS: [table: string, column: string, hash: (stored: string) => string][] = [
  ['album_links', 'token_hash', fromBase64],
  ['year_links', 'token_hash', String],
  ['recovery_codes', 'code_hash', String],
  ['dog_claims', 'token_hash', fromBase64],
  ['account_deletions', 'undo_hash', String],
  ['contact_mails', 'confirm_hash', String],
  ['contact_mails', 'token', hashSecret],
  ['digests', 'token', hashSecret],
  ['lost_alert_settings', 'mail_token', hashSecret],
]

/** Topics whose jobs migrations enqueue, besides those that waited. */
const LATER_TOPICS = ['badges', 'photo-files', 'provinces', 'blurs']

const earlier = suite('unit/db/earlier-databases')

for (const version of EARLIER_VERSIONS) {
  const open = () => sqliteDb(readEarlierFiles(version)['perrario.db'])

  earlier(`${version} has rows in every table, and hidden things of every kind`, async () => {
    await using db = open()
    const counts = countTables(sqliteOf(db))
    assertNone(Object.keys(counts), (table) => counts[table] === 0)
    const { hidden, hiddenRows, photos } = takeInventory(db)
    const kinds = [...new Set(hidden.map((line) => line.split(' ')[0]!))].toSorted()
    const ofBoth = ['comment', 'dog', 'photo', 'profile']
    assert.equal(kinds, version === '62beae7' ? ofBoth : [...ofBoth, 'found', 'opinion', 'sighting'].toSorted())
    assert.ok(Math.min(hiddenRows.length, photos.length) > 10)
  })

  earlier(`${version} migrates and loses nothing`, async () => {
    await using db = open()
    const [before, countsBefore] = [takeInventory(db), countTables(sqliteOf(db))]
    const jobsBefore = countQueued(db, countsBefore)
    const ran = await migrate(db)
    assert.is(countTables(sqliteOf(db)).kysely_migration, Object.keys(migrations).length)
    assert.is(ran.length, Object.keys(migrations).length - countsBefore.kysely_migration!)
    const [after, countsAfter] = [takeInventory(db), countTables(sqliteOf(db))]
    for (const part of Object.keys(before) as (keyof typeof before)[])
      assert.equal(differences(before[part].filter(isUnchanged), after[part].filter(isUnchanged)), [], part)
    const changed = Object.keys(countsBefore).filter(
      (table) => (countsAfter[table] ?? countsAfter[`${table}_all`]) !== countsBefore[table],
    )
    assert.equal(
      changed.filter((table) => table !== 'kysely_migration'),
      Object.keys(CHANGED_COUNTS[version]),
    )
    const runs = [countsBefore.digest_runs, countsBefore.memory_runs].filter(Boolean)
    const later = await db.selectFrom('jobs').select('topic').where('topic', 'in', LATER_TOPICS).execute()
    assert.is(countsAfter.jobs! - later.length, jobsBefore + runs.length)
    const ofLater = (topic: string) => later.filter((job) => job.topic === topic).length
    assert.ok(ofLater('badges') >= (countsBefore.badge_queue ?? 0))
    assert.ok(ofLater('photo-files') >= (countsBefore.photo_moves ?? 0))
    assert.equal(listBrokenReferences(db), [])
    assert.equal(await listDriftedCounts(db), [])
  })

  earlier(`${version} migrated: a dispute gives each account its address back, and undoes its deletion`, async () => {
    await using db = open()
    await migrate(db)
    const changes = await db.selectFrom('email_changes').selectAll().where('confirmed_at', 'is not', null).execute()
    const leaving = await db.selectFrom('account_deletions').select('user_id').execute()
    const now = Math.max(...changes.map(({ confirmed_at }) => confirmed_at! + 1))
    for (const { user_id } of [...changes, ...leaving]) await transact(db, (trx) => putInDispute(trx, user_id, now))
    const { users, account_deletions, sign_in_alerts } = await readAllRows(db)
    for (const { user_id, previous_email } of changes) {
      assert.is(users!.find(({ id }) => id === user_id)!.email, previous_email)
      const link = sign_in_alerts!.find((alert) => alert.user_id === user_id && alert.event === 'email-changed')
      assert.is(link!.used_at, now, 'its link')
    }
    assert.ok(account_deletions === undefined || account_deletions.every(({ state }) => state === 'restoring'))
  })

  earlier(`${version} migrated: whatever granted access still does, by its hash`, async () => {
    await using db = open()
    const sqlite = sqliteOf(db)
    const tables = new Set(sqlite.prepare(`SELECT name FROM sqlite_schema`).pluck().all())
    const stored = SECRETS.flatMap(([table, column, hash]) => {
      const columns = sqlite.prepare(`SELECT name FROM pragma_table_info(?)`).pluck().all(table)
      if (!tables.has(table) || !columns.includes(column)) return []
      const rows = sqlite.prepare(`SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL`).pluck().all()
      return (rows as string[]).map(hash)
    })
    assert.ok(stored.length > 1)
    await migrate(db)
    const secrets = await db.selectFrom('secrets').select('hash').execute()
    const hashes = secrets.map((row) => row.hash)
    assertNone(stored, (hash) => !hashes.includes(hash))
  })

  earlier(`${version} migrated has the schema of a new database`, async () => {
    const [db, fresh] = [open(), sqliteDb()]
    await migrate(db)
    assert.equal(readSchemaShape(sqliteOf(db)), readSchemaShape(sqliteOf(fresh)))
    await Promise.all([db.destroy(), fresh.destroy()])
  })
}
