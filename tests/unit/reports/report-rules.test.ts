import { addComment } from '#features/comments/comments.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { reasonsFor, reportInput, type ReportInput } from '#features/reports/reports.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { closeLeftReports } from '#features/reports/retention.server.ts'
import { assert, countRows, type Db, dbSuite, dog, member, pluck, refusal, rowOf, seed } from '#tests/support/suites.ts'

const reports = dbSuite('unit/reports/report-rules')

const input = (kind: ReportInput['kind'], id: string, fields: Partial<ReportInput> = {}): ReportInput => ({
  kind,
  id,
  reason: 'spam',
  words: '',
  ...fields,
})
const rows = (db: Db) => db.selectFrom('reports').selectAll().orderBy('created_at').execute()

reports('a dog, a photo, a comment and a profile can be reported, each opening its case', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member({ alias: 'Ana' }), dog({ photos: 2 }), member())
  const comment = await addComment(db, ana, toby.id, 'Hola')
  const things = [
    ['dog', toby.id],
    ['photo', toby.images[1]!.url],
    ['comment', comment.id],
    ['profile', ana.id],
  ] as const
  for (const [kind, id] of things)
    assert.equal(await submitReport(db, luis, input(kind, id), 'x'), { isDuplicate: false })
  const cases = await db.selectFrom('cases').selectAll().execute()
  assert.equal(
    cases.map((row) => [row.kind, row.thing_id, row.reports, row.open, row.user_id]).sort(),
    things.map(([kind, id]) => [kind, id, 1, 1, ana.id]).sort(),
  )
})

reports('a member has one open report for each target; other members add to the same case', async ({ db }) => {
  const [, toby, luis, eva] = await seed(db, member(), dog(), member(), member())
  await submitReport(db, luis, input('dog', toby.id), 'x')
  assert.equal(await submitReport(db, luis, input('dog', toby.id, { reason: 'venta' }), 'x'), { isDuplicate: true })
  await submitReport(db, eva, input('dog', toby.id), 'y')
  assert.equal(pluck(await rows(db), 'user_id'), [luis.id, eva.id])
  assert.equal(await db.selectFrom('cases').select('reports').execute(), [{ reports: 2 }])
})

reports('reports that a crash left open after their case are closed by the next day', async ({ db }) => {
  const [, toby, luna, luis, eva] = await seed(db, member(), dog(), dog(), member(), member())
  const now = Date.now()
  const pairs = [
    [luis, toby],
    [eva, toby],
    [luis, luna],
  ] as const
  for (const [reporter, { id }] of pairs) await submitReport(db, reporter, input('dog', id), 'x', now)
  await db.updateTable('cases').set({ open: 0, reports: 0 }).where('thing_id', '=', toby.id).execute()
  await closeLeftReports(db, now + 1)
  const left = await db.selectFrom('reports').select(['thing_id', 'closed_at', 'origin']).execute()
  const isClosed = (id: string) =>
    left.filter((row) => row.thing_id === id).map((row) => [row.closed_at, row.origin === null])
  const closed = [now + 1, true]
  assert.equal(isClosed(toby.id), [closed, closed])
  assert.equal(isClosed(luna.id), [[null, false]], 'whose case is open stays open')
  assert.is((await submitReport(db, eva, input('dog', toby.id), 'x', now + 2)).isDuplicate, false)
  const { reports: count, open } = await rowOf(db, 'cases', { thing_id: toby.id })
  assert.equal([count, open], [1, 1])
})

reports('the address is stored as a hash of the day: equal for one connection, nowhere in clear', async ({ db }) => {
  const [, toby, luis, eva, pau] = await seed(db, member(), dog(), member(), member(), member())
  const now = Date.UTC(2026, 10, 22, 12)
  await submitReport(db, luis, input('dog', toby.id), '203.0.113.7', now)
  await submitReport(db, eva, input('dog', toby.id), '203.0.113.7', now + 1)
  await submitReport(db, pau, input('dog', toby.id), '203.0.113.7', now + 86_400_000)
  const [one, two, three] = (await rows(db)).map((row) => row.origin)
  assert.is(one, two)
  assert.is.not(one, three, 'the next day has another key')
  assert.is(await countRows(db, 'report_keys'), 1, 'yesterday’s key is gone')
})

reports('reports of own or unknown content and without a session are refused', async ({ db }) => {
  const [ana, toby, luis] = await seed(db, member(), dog(), member())
  const own = 'No puedes denunciar algo tuyo.'
  for (const [who, kind, id, refused] of [
    [null, 'dog', toby.id, [401, 'Inicia sesión para denunciar.']],
    [ana, 'dog', toby.id, [422, own]],
    [ana, 'profile', ana.id, [422, own]],
    [luis, 'comment', toby.id, [404, 'Lo que quieres denunciar ya no está.']],
  ] as const)
    assert.equal(await refusal(submitReport(db, who, input(kind, id), 'x')), refused)
  await ban(db, luis.id, { until: null, reason: '' })
  assert.is((await refusal(submitReport(db, luis, input('dog', toby.id), 'x')))[0], 403)
})

reports('«otra cosa» requires a text; no text has more than 500 characters', () => {
  const problemOf = (given: object) =>
    reportInput.safeParse({ kind: 'dog', id: 'x', ...given }).error?.issues[0]?.message
  assert.is(problemOf({ reason: 'otra' }), 'Cuéntanos qué ocurre.')
  assert.is(problemOf({ reason: 'otra', words: 'No sé' }), undefined)
  const long = 'La explicación no puede tener más de 500 caracteres.'
  assert.is(problemOf({ reason: 'spam', words: 'á'.repeat(501) }), long)
  assert.not(reasonsFor('comment').includes('no-perro'))
  assert.ok(reasonsFor('photo').includes('no-perro'))
})
