import { createECDH, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnlyDatabase, sqliteOf } from '#db/client.ts'
import { createSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { issueToken } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { deleteAllExpired, runRetention } from '#features/maintenance/retention.server.ts'
import { publish } from '#features/live/live.server.ts'
import { deleteExpiredNotifications } from '#features/notifications/retention.server.ts'
import { subscribe } from '#features/notifications/push/subscriptions.server.ts'
import { madridDay } from '#lib/dates.ts'
import { runEvery } from '#lib/jobs.ts'
import { listStoredIds } from '#tests/support/live/hub-suite.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, countRows, dataSuite, dog, insert, member, onlyOnSqlite, pluck, seed } from '#tests/support/suites.ts'

const DAY = 86_400_000
const NOW = Date.now()

const retention = dataSuite('unit/maintenance/expired-data')

retention('expired rows are deleted, others stay', async ({ db, dir }) => {
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  for (const age of [2 * DAY, 1000]) await issueToken(db, 'ana@ejemplo.es', NOW - age)
  const sessions = [await createSession(db, ana.id), await createSession(db, ana.id)]
  const expiredSession = toSessionId(sessions[0]!.token)
  const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'a'.repeat(22) }
  await subscribe(db, ana, expiredSession, { endpoint: 'https://fcm.googleapis.com/a', keys }, [])
  const expired = { expires_at: Math.floor(NOW / 1000) - 1 }
  await db.updateTable('sessions').set(expired).where('id', '=', expiredSession).execute()
  for (const age of [31, 29])
    await insert(db, 'idempotency_keys', { key: `k${age}`, dog_id: toby.id, created_at: NOW - age * DAY })
  for (const [user, age] of [
    [ana.id, 31],
    [luis.id, 29],
  ] as const)
    await insert(db, 'ownership_requests_all', {
      dog_id: toby.id,
      user_id: user,
      created_at: 1,
      declined_at: NOW - age * DAY,
    })
  for (const age of [91, 89])
    await insert(db, 'geocodes', { key: `g${age}`, lon: 1, lat: 1, place_name: 'Lugo', created_at: NOW - age * DAY })
  await deleteAllExpired(db, dir, NOW)
  const left: Record<string, number> = {}
  for (const table of [
    'sign_in_tokens',
    'sessions',
    'push_subscriptions',
    'idempotency_keys',
    'ownership_requests',
    'geocodes',
  ])
    left[table] = await countRows(db, table)
  assert.equal(left, {
    sign_in_tokens: 1,
    sessions: 1,
    push_subscriptions: 0,
    idempotency_keys: 1,
    ownership_requests: 1,
    geocodes: 1,
  })
  assert.equal(await deleteAllExpired(db, dir, NOW), { rows: 0, files: 0 })
})

retention('read notifications are deleted after a year; unread and younger ones stay', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const texts = { user_id: ana.id, type: 'other' as const, title: 'A', content: 'B' }
  const line = (is_read: 0 | 1, created_at: number) => ({ id: randomUUID(), ...texts, is_read, created_at })
  const lines = Array.from({ length: 12_000 }, (_, n) => line(n % 2 ? 1 : 0, NOW - 400 * DAY + n))
  for (const age of [364, 10]) lines.push(line(1, NOW - age * DAY))
  for (let from = 0; from < lines.length; from += 1000)
    await insert(db, 'notifications_all', lines.slice(from, from + 1000))
  assert.is((await deleteAllExpired(db, dir, NOW)).rows, 6000)
  assert.is(await countRows(db, 'notifications'), 6002)
})

onlyOnSqlite(retention)('read notifications are found by their index, at most 200 in a transaction', async ({ db }) => {
  const [ana] = await seed(db, member())
  const row = {
    user_id: ana.id,
    type: 'other',
    title: 'A',
    content: 'B',
    is_read: 1,
    created_at: NOW - 400 * DAY,
  } as const
  for (let n = 0; n < 5; n++)
    await insert(
      db,
      'notifications_all',
      Array.from({ length: 100 }, () => ({ ...row, id: randomUUID() })),
    )
  const plans = await explainQueries(db, (explained) => deleteExpiredNotifications(explained, NOW))
  assert.is(await countRows(db, 'notifications'), 0)
  const deletes = plans.filter(({ sql }) => sql.startsWith('delete from "notifications_all"'))
  assert.is(deletes.length, 3)
  assert.equal(findSlowSteps(deletes), [])
  assert.match(
    deletes[0]!.steps.join(),
    /SEARCH notifications_all USING (COVERING )?INDEX notifications_read \(created_at</,
  )
})

retention(
  'reports are deleted a year after their case closed, bans when they end, yesterday’s key at once',
  async ({ db, dir }) => {
    const [ana, luis, eva] = await seed(db, member(), member(), member())
    const closedAt = [null, NOW - 364 * DAY, NOW - 366 * DAY]
    const report = { kind: 'profile' as const, thing_id: ana.id, user_id: luis.id, reason: 'spam', counts: 1 as const }
    for (const [n, closed_at] of closedAt.entries())
      await insert(db, 'reports', { ...report, id: `r${n}`, words: 'No', origin: 'x', created_at: 1, closed_at })
    for (const [user_id, until] of [
      [ana.id, NOW - 1],
      [luis.id, NOW + DAY],
      [eva.id, null],
    ] as const)
      await db.insertInto('bans').values({ user_id, until, reason: 'No', created_at: 1 }).execute()
    for (const day of [madridDay(NOW), madridDay(NOW - DAY)])
      await db.insertInto('report_keys').values({ day, key: 'x' }).execute()
    assert.is((await deleteAllExpired(db, dir, NOW)).rows, 3)
    const left = await db.selectFrom('reports').select('id').orderBy('id').execute()
    assert.equal(pluck(left, 'id'), ['r0', 'r1'])
    assert.is(await countRows(db, 'bans'), 2)
    assert.equal(await db.selectFrom('report_keys').select('day').execute(), [{ day: madridDay(NOW) }])
  },
)

retention('events are deleted after a week, and their ids continue', async ({ db, dir }) => {
  const event = { type: 'like', dogId: 'a', thingId: 'b', liked: true } as const
  for (const age of [9, 8, 6]) await publish(db, event, NOW - age * DAY)
  const published = await listStoredIds(db)
  await deleteAllExpired(db, dir, NOW)
  assert.is(await countRows(db, 'events'), 1)
  await deleteAllExpired(db, dir, NOW + 30 * DAY)
  assert.is(await countRows(db, 'events'), 1, 'the newest stays')
  await publish(db, event, NOW)
  const left = await listStoredIds(db)
  assert.is(left.length, 2)
  assert.is(left[0], published[2])
  assert.ok(left[1]! > published[2]!)
})

retention('mails in the outbox are deleted after a week, drafts after a day, and nothing else', async ({ db, dir }) => {
  const outbox = join(dir, 'outbox')
  mkdirSync(outbox)
  const writeAged = (file: string, days: number) => {
    writeFileSync(file, 'x')
    utimesSync(file, new Date(NOW - days * DAY), new Date(NOW - days * DAY))
  }
  writeAged(join(outbox, 'vieja.eml'), 8)
  writeAged(join(outbox, 'nueva.eml'), 6)
  writeAged(join(outbox, 'apunte.txt'), 80)
  writeAged(join(dir, '.mail-a'), 2)
  writeAged(join(dir, '.mail-b'), 0)
  writeAged(join(dir, 'outbox', '.mail-c'), 2)
  writeAged(join(dir, 'outbox', '.mail-d'), 0)
  writeAged(join(dir, 'dogs-geo.json'), 900)
  assert.is((await deleteAllExpired(db, dir, NOW)).files, 3)
  assert.equal(readdirSync(outbox).toSorted(), ['.mail-d', 'apunte.txt', 'nueva.eml'])
  assert.equal(readdirSync(dir).toSorted(), ['.mail-b', 'dogs-geo.json', 'outbox'])
})

onlyOnSqlite(retention)('the WAL is checkpointed, unless there is a reader', async ({ dir }) => {
  const file = join(dir, 'perrario.db')
  await using db = await openMigratedDatabase(file)
  await issueToken(db, 'ana@ejemplo.es', NOW - 2 * DAY)
  const reader = openReadOnlyDatabase(file)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM users').get()
  await issueToken(db, 'ana@ejemplo.es', NOW)
  await deleteAllExpired(db, dir, NOW)
  assert.ok(statSync(`${file}-wal`).size > 0)
  reader.close()
  await deleteAllExpired(db, dir, NOW)
  assert.is(statSync(`${file}-wal`).size, 0)
  assert.is(sqliteOf(db).pragma('busy_timeout', { simple: true }), 5000)
})

retention('the schedule deletes after the delay, logs it, and ends when it is closed', async ({ db, dir }) => {
  await issueToken(db, 'ana@ejemplo.es', NOW - 2 * DAY)
  const logged: string[] = []
  const retain = () => runRetention(db, dir, (text) => logged.push(text))
  const schedule = runEvery({ delayMs: 5, intervalMs: 5 }, '', retain)
  while (logged.length === 0) await new Promise((done) => setTimeout(done, 5))
  assert.equal(logged, ['limpieza: 1 registro caducado, 0 archivos'])
  await schedule.close()
  assert.not.ok(existsSync(join(dir, 'outbox')))
})
