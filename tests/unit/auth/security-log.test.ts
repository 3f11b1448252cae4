import { tmpdir } from 'node:os'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { deleteAccount } from '#features/account/erase.server.ts'
import { describeSecurityEvent, SECURITY_EVENTS } from '#features/auth/security-log/security-log.ts'
import { listSecurityLog, logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, countRows, dbSuite, onlyOnSqlite, refusalOf } from '#tests/support/suites.ts'

const DAY = 86_400_000
const NOW = Date.now()

const log = dbSuite('unit/auth/security-log')

log('a member reads their own entries, newest first, page by page', async ({ db }) => {
  const [ana, eva] = await seed(db, member(), member())
  for (let i = 0; i < 7; i++)
    await logSecurityEvent(db, ana.id, 'passkey-added', { detail: `Llave ${i}` }, NOW + Math.floor(i / 2))
  await logSecurityEvent(db, eva.id, 'sign-out')
  const read: (string | null)[] = []
  for (let cursor: string | undefined; ;) {
    const page = await listSecurityLog(db, ana.id, { cursor, limit: 3 })
    read.push(...page.rows.map(({ detail }) => detail))
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  assert.is(read.length, 7)
  assert.is(new Set(read).size, 7)
  assert.is(read[0], 'Llave 6')
  assert.is(await refusalOf(listSecurityLog(db, ana.id, { cursor: 'x' })), '422 La página pedida no existe.')
})

onlyOnSqlite(log)('pages are read by an index', async ({ db }) => {
  const [ana] = await seed(db, member())
  await logSecurityEvent(db, ana.id, 'sign-out')
  const { nextCursor } = await listSecurityLog(db, ana.id, { limit: 1 })
  assert.is(nextCursor, null)
  const plans = await explainQueries(db, () => listSecurityLog(db, ana.id))
  assert.equal(findSlowSteps(plans), [])
})

log('a day has two hundred entries of one event, and more of others', async ({ db }) => {
  const [ana] = await seed(db, member())
  for (let i = 0; i < 205; i++) await logSecurityEvent(db, ana.id, 'passkey-renamed', {}, NOW)
  await logSecurityEvent(db, ana.id, 'sign-in', { detail: 'link' }, NOW)
  assert.is(await countRows(db, 'security_log'), 201)
  await logSecurityEvent(db, ana.id, 'passkey-renamed', {}, NOW + DAY)
  assert.is(await countRows(db, 'security_log'), 202)
})

log('entries stay a year', async ({ db }) => {
  const [ana] = await seed(db, member())
  for (const age of [366, 364]) await logSecurityEvent(db, ana.id, 'sign-out', {}, NOW - age * DAY)
  assert.is(await deleteExpiredRows(db, NOW, ['security_log']), 1)
  assert.is(await countRows(db, 'security_log'), 1)
})

log('the log goes with its account', async ({ db }) => {
  const [ana] = await seed(db, member({ alias: 'Ana' }))
  await logSecurityEvent(db, ana.id, 'sign-in', { detail: 'link' }, NOW)
  await deleteAccount(db, tmpdir(), withRecentSignIn(ana), { dogs: 'keep', alias: 'Ana' })
  assert.is(await countRows(db, 'security_log'), 0)
})

log('every event has a sentence of its own', () => {
  const sentences = SECURITY_EVENTS.map((event) => describeSecurityEvent({ event, detail: null }))
  assert.is(new Set(sentences).size, SECURITY_EVENTS.length)
  assert.not.ok(sentences.includes('Otro cambio'))
  assert.is(describeSecurityEvent({ event: 'sign-in', detail: 'google' }), 'Has entrado con Google')
  assert.is(
    describeSecurityEvent({ event: 'sign-in', detail: 'operator-link' }),
    'Has entrado con un enlace de quien administra este sitio',
  )
  assert.is(describeSecurityEvent({ event: 'passkey-added', detail: 'Móvil' }), 'Llave de acceso «Móvil» añadida')
})
