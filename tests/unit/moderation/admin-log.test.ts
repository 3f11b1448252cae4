import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { listAdminLog } from '#features/admin/log/admin-log.server.ts'
import { ADMIN_ACTION_LABELS } from '#features/admin/log/admin-log.ts'
import { sendMemberMessage, verifyMember } from '#features/admin/members.server.ts'
import { ADMIN_ACTIONS } from '#features/moderation/admin-log.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { member, seed } from '#tests/support/seed.ts'
import {
  allPages,
  assert,
  countRows,
  dbSuite,
  isPostgresRun,
  onlyOnSqlite,
  pluck,
  refusalOf,
} from '#tests/support/suites.ts'

const DAY = 86_400_000
const adminEmail = 'admin@ejemplo.es'

const log = dbSuite('unit/moderation/admin-log')

const entry = (action: (typeof ADMIN_ACTIONS)[number] = 'verify') => ({
  adminId: 'a',
  action,
  target: { kind: 'member' as const, id: 'b' },
})
const isRefused = (statement: Promise<unknown>) =>
  statement.then(
    () => false,
    (error: Error) => /admin_log is append-only/.test(error.message),
  )

log('the database refuses to change, replace or delete an entry', async ({ db }) => {
  await logAdminAction(db, entry())
  const [row] = await db.selectFrom('admin_log').selectAll().execute()
  assert.ok(await isRefused(sql`UPDATE admin_log SET action = 'ban'`.execute(db)))
  assert.ok(await isRefused(sql`UPDATE admin_log SET created_at = 1`.execute(db)), 'nor its age')
  assert.ok(await isRefused(sql`DELETE FROM admin_log`.execute(db)))
  const replacing = isPostgresRun
    ? sql`INSERT INTO admin_log SELECT * FROM admin_log ON CONFLICT (id) DO UPDATE SET action = 'ban'`
    : sql`INSERT OR REPLACE INTO admin_log SELECT * FROM admin_log`
  assert.ok(await isRefused(replacing.execute(db)))
  if (isPostgresRun) assert.ok(await isRefused(sql`TRUNCATE admin_log`.execute(db)))
  assert.equal(await db.selectFrom('admin_log').selectAll().execute(), [row])
})

log('an entry goes after two years, by the database’s clock', async ({ db }) => {
  const now = Date.now()
  for (const age of [731, 729]) await logAdminAction(db, entry(), now - age * DAY)
  await logAdminAction(db, entry())
  assert.is(await deleteExpiredRows(db, now + 1000 * DAY, ['admin_log']), 1, 'whatever time the program says it is')
  assert.is(await countRows(db, 'admin_log'), 2)
})

log('the admin reads it with the names of today, by action and page by page', async ({ db }) => {
  const [admin, ana] = await seed(db, member({ email: adminEmail, alias: 'Jefa' }), member({ alias: 'Ana' }))
  const requester = { user: admin, adminEmail }
  await verifyMember(db, requester, ana.id, { verified: true, alias: 'Ana' })
  // Entries of one millisecond have no order.
  await wait(3)
  await sendMemberMessage(db, requester, ana.id, '¡Gracias por avisar!')
  await logAdminAction(db, { adminId: null, action: 'readmit', target: { kind: 'mailbox', id: null } }, Date.now() + 5)
  await logAdminAction(db, { ...entry('breed-edit'), target: { kind: 'breed', id: 'beagle' } }, Date.now() + 6)
  const all = await listAdminLog(db, requester)
  assert.equal(
    all.rows.map(({ action, target, reason }) => [action, target?.label ?? null, reason]),
    [
      ['breed-edit', 'Beagle', ''],
      ['readmit', null, ''],
      ['message', 'Ana', '¡Gracias por avisar!'],
      ['verify', 'Ana', ''],
    ],
  )
  assert.equal([all.rows[1]!.admin, all.rows[2]!.admin], [null, 'Jefa'])
  const pages = await allPages((cursor) => listAdminLog(db, requester, { limit: 1, ...(cursor && { cursor }) }))
  const read = pages.flatMap(({ rows }) => rows)
  assert.equal(pluck(read, 'id'), pluck(all.rows, 'id'))
  assert.equal(pluck((await listAdminLog(db, requester, { action: 'message' })).rows, 'action'), ['message'])
  const { nextCursor } = await listAdminLog(db, requester, { limit: 1 })
  assert.match(await refusalOf(listAdminLog(db, requester, { action: 'ban', cursor: nextCursor! })), /^422 /)
})

log('nobody else reads it', async ({ db }) => {
  const [ana] = await seed(db, member())
  assert.match(await refusalOf(listAdminLog(db, { user: ana, adminEmail })), /^403 /)
  assert.match(await refusalOf(listAdminLog(db, { user: null, adminEmail })), /^401 /)
})

onlyOnSqlite(log)('pages are read by indexes', async ({ db }) => {
  const [admin] = await seed(db, member({ email: adminEmail }))
  const requester = { user: admin, adminEmail }
  await logAdminAction(db, entry())
  for (const action of [null, 'verify'] as const)
    assert.equal(findSlowSteps(await explainQueries(db, () => listAdminLog(db, requester, { action }))), [])
})

log('every action has a name of its own', () => {
  assert.is(new Set(Object.values(ADMIN_ACTION_LABELS)).size, ADMIN_ACTIONS.length)
})
