import { sql } from 'kysely'
import { paths } from '#lib/paths.ts'
import { setNotificationTargets } from '#db/migrations/2026-11-23-0816-notification-targets.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { hideComment, showComment } from '#features/comments/hidden-comments.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { logDecision, notifyOfCase } from '#features/reports/decisions/decision-log.server.ts'
import { submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { getReportTarget } from '#features/reports/report-target.server.ts'
import { bellTexts } from '#tests/support/notifications/bell.ts'
import { freshDb } from '#tests/support/db.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { withPlainTable } from '#tests/support/plain-tables.ts'
import { assert, type Db, dbSuite, dog, member, onlyOnSqlite, seed, update } from '#tests/support/suites.ts'

// Notifications are deleted with what they quote, whenever they were written. Every order of actions over HTTP, with
// all other derived copies: tests/api/account/erasure-contract.

const ADMIN = 'admin@ejemplo.es'
const targets = dbSuite('unit/notifications/notification-targets')

const bell = (db: Db, id: string) => bellTexts(db, { id })

async function createWorld() {
  const db = freshDb()
  const [ana, toby, luis, admin] = await seed(
    db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby' }),
    member({ alias: 'Luis' }),
    member({ alias: 'Admin', email: ADMIN }),
  )
  return { db, ana, toby, luis, admin }
}

/** A comment that the word filter held and the admin let out later. */
async function addRestoredComment(db: Db, user: { id: string }, dogId: string, text = 'Se vende por 300 €') {
  const { id } = await holdComment(db, user, dogId, text)
  await db.transaction().execute((trx) => showComment(trx, id, Date.now() + 5000))
  return id
}

targets('an approved comment that is deleted or hidden takes the notification that quotes it along', async () => {
  for (const end of ['delete', 'hide']) {
    const { db, ana, toby, luis } = await createWorld()
    const id = await addRestoredComment(db, luis, toby.id)
    assert.equal(await bell(db, ana.id), ['Luis ha comentado en Toby: «Se vende por 300 €»'])
    if (end === 'delete') await deleteComment(db, luis, id)
    else await db.transaction().execute(async (trx) => void (await hideComment(trx, id, 'admin')))
    assert.equal(await bell(db, ana.id), [], end)
    await db.destroy()
  }
})

/** The admin hides the dog: its people and the admin are told. */
async function hideWithLines(db: Db, ana: { id: string }, toby: { id: string }, now: number) {
  const target = await getReportTarget(db, 'dog', toby.id)
  const { id: caseId } = await db
    .insertInto('cases')
    .values({ id: 'c', kind: 'dog', thing_id: toby.id, cause: 'reports', dog_id: toby.id, created_at: 1, latest_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const decision = { caseId, kind: 'dog', targetId: toby.id, dogId: toby.id, label: target.label } as const
  await db.transaction().execute(async (trx) => {
    await logDecision(trx, { ...decision, action: 'auto-hide', adminId: null, reason: '', memberIds: [ana.id] }, now)
    await notifyOfCase(trx, ADMIN, 'auto-hidden', { actorId: ana.id, target }, now)
  })
  const { id } = await db.selectFrom('decisions').select('id').executeTakeFirstOrThrow()
  await submitAppeal(db, ana, id, 'No es verdad', ADMIN, now + 1)
}

targets('a notification of a decision has the dog’s present name, and is deleted with the dog', async () => {
  const { db, ana, toby, admin } = await createWorld()
  await hideWithLines(db, ana, toby, 1000)
  assert.equal(await bell(db, admin.id), ['Toby, Beagle', 'Toby, Beagle'])
  await updateDog(db, ana, toby.id, { name: 'Luna' })
  assert.equal(await bell(db, admin.id), ['Luna, Beagle', 'Luna, Beagle'])
  assert.not.match((await bell(db, ana.id)).join(), /Toby/)
  await db.transaction().execute((trx) => deleteTargetNotifications(trx, [toby.id]))
  assert.equal([await bell(db, admin.id), (await bell(db, ana.id)).filter((text) => /Luna/.test(text))], [[], []])
  await db.destroy()
})

onlyOnSqlite(targets)(
  'the migration matches earlier notifications, and deletes those about deleted content',
  async () => {
    const { db, ana, toby, luis, admin } = await createWorld()
    const [eva, leo, mar] = await seed(db, member(), member(), member())
    const long = `Se vende por 300 €  ${'ñandú '.repeat(40)}`
    const [plain, restored, cut] = [
      (await addComment(db, luis, toby.id, 'Hola', 2000)).id,
      await addRestoredComment(db, eva, toby.id),
      await addRestoredComment(db, leo, toby.id, long),
    ]
    const lost = (await addComment(db, mar, toby.id, 'Perdido', 3000)).id
    await hideWithLines(db, ana, toby, 1000)
    // The address of decisions at the time of the migration.
    await update(db, 'notifications_all', { link: paths.decisions }, { link: '/perfil/decisiones' })
    const read = () =>
      db
        .selectFrom('notifications_all')
        .select(['id', 'content', 'target_kind', 'target_id', 'target_dog_id'])
        .orderBy('id')
        .execute()
    const before = (await read()).filter(({ target_id }) => target_id !== lost)
    assert.is(before.filter(({ target_id }) => target_id !== null).length, 6)
    await db.deleteFrom('comments_all').where('id', '=', lost).execute()
    // What was hidden then lay there.
    for (const table of ['held (kind, thing_id)', 'held_comments (id)', 'held_photos (url)'])
      await sql.raw(`CREATE TABLE ${table}`).execute(db)
    const forget = () =>
      db.updateTable('notifications_all').set({ target_kind: null, target_id: null, target_dog_id: null })
    await forget().execute()
    await withPlainTable(db, 'notifications', () => setNotificationTargets(db))
    assert.equal(await read(), before)
    for (const id of [plain, restored, cut]) assert.ok(before.some(({ target_id }) => target_id === id))
    // The dog is gone: of what was said of it, its author's answer stays, without words.
    await db.deleteFrom('dogs_all').execute()
    await forget().execute()
    await withPlainTable(db, 'notifications', () => setNotificationTargets(db))
    assert.equal([await bell(db, ana.id), await bell(db, admin.id)], [[], ['Algo que ya no está']])
    await db.destroy()
  },
)

onlyOnSqlite(targets)('notifications are found by index', async ({ db }) => {
  const plans = await explainQueries(db, (listening) => deleteTargetNotifications(listening, ['x']))
  assert.ok(plans.length > 0)
  assert.equal(findSlowSteps(plans), [])
})
