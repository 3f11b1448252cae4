import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { findHidden } from '#features/moderation/content.server.ts'
import { exportHidden } from '#features/account/export/export-moderation.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { eraseUser } from '#features/opinions/erase.server.ts'
import { hideOpinionsOf } from '#features/opinions/hidden-opinions.server.ts'
import { giveOpinion, setOpinionsAsked, withdrawOpinion } from '#features/opinions/opinions.server.ts'
import { CLOSED_RETENTION_MS, deleteExpiredOpinions } from '#features/opinions/retention.server.ts'
import { listOpinions, readTally } from '#features/opinions/tally.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import type { CaseAction } from '#features/reports/decisions/decisions.ts'
import { autoHideTarget, REPORTS_TO_HIDE, submitReport } from '#features/reports/reports.server.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { assert, type CurrentUser, dbSuite, dog, member, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'

const reported = dbSuite(
  'unit/opinions/reported-opinions',
  { admin: member({ email: ADMIN }), luis: member({ alias: 'Luis' }), ana: member(), toby: dog() },
  async ({ db, luis, ana, toby }) => {
    await setOpinionsAsked(db, ana, toby.id, true)
    await giveOpinion(db, luis, toby.id, { breed: 'Boxer', reason: 'Por lo feo que es.' })
    const id = (await db.selectFrom('breed_opinions').select('id').executeTakeFirstOrThrow()).id
    const reporters = await seed(db, ...Array.from({ length: REPORTS_TO_HIDE }, () => member()))
    await makeEstablishedMembers(
      db,
      reporters.map(({ id }) => id),
      toby.id,
    )
    return { id, reporters }
  },
)
type Scene = WorldOf<typeof reported>

const report = ({ db, id }: Scene, user: CurrentUser, network = '10.0.0.1') =>
  submitReport(db, user, { kind: 'opinion', id, reason: 'insultos', words: '' }, network)
async function reportByAll(t: Scene): Promise<boolean> {
  for (const [n, user] of t.reporters.entries()) await report(t, user, `10.0.${n}.1`)
  return autoHideTarget(t.db, { kind: 'opinion', id: t.id }, ADMIN)
}
const caseOf = ({ db }: Scene) =>
  db.selectFrom('cases').selectAll().where('kind', '=', 'opinion').executeTakeFirstOrThrow()
async function act(t: Scene, deed: CaseAction): Promise<void> {
  const { id, edited_at: version } = await caseOf(t)
  const admin = { user: t.admin, adminEmail: ADMIN }
  await applyCaseAction(t.db, '', admin, id, { deed, reason: 'Ofende', days: null, version })
}
const reasons = async ({ db, toby }: Scene) => (await listOpinions(db, toby.id)).opinions.map(({ reason }) => reason)
const bellOf = async ({ db }: Scene, { id }: CurrentUser) =>
  (await listNotifications(db, id)).notifications.map(({ title, content }) => `${title} · ${content}`)

reported('five established members hide it: nobody reads or counts it, and the admin restores it', async (t) => {
  assert.equal([await reportByAll(t), await reasons(t), await readTally(t.db, t.toby.id)], [true, [], []])
  assert.match((await bellOf(t, t.luis))[0]!, 'Varias personas han denunciado tu opinión «Por lo feo que es.».')
  const { rows } = await listCases(t.db, { user: t.admin, adminEmail: ADMIN })
  assert.equal([rows[0]!.target?.label, rows[0]!.target?.isHidden], ['«Por lo feo que es.»', true])
  await act(t, 'restore')
  assert.equal(await reasons(t), ['Por lo feo que es.'])
  assert.is((await readTally(t.db, t.toby.id))[0]!.opinions, 1)
})

reported('four of them do not', async (t) => {
  t.reporters.pop()
  assert.equal([await reportByAll(t), (await reasons(t)).length], [false, 1])
})

reported('the admin deletes it with a statement of reasons, and its author appeals', async (t) => {
  await report(t, t.ana)
  await act(t, 'delete')
  assert.equal(await reasons(t), [])
  assert.equal(await bellOf(t, t.luis), [
    'Hemos eliminado algo tuyo · Hemos eliminado tu opinión «Por lo feo que es.». Motivo: Ofende. Puedes responder.',
  ])
  assert.equal((await bellOf(t, t.ana))[0], 'Gracias por avisar · Hemos retirado lo que denunciaste.')
  const { id } = await t.db.selectFrom('decisions').select('id').executeTakeFirstOrThrow()
  await submitAppeal(t.db, t.luis, id, 'Era una broma.', ADMIN)
  assert.is((await caseOf(t)).open, 1)
})

reported('the admin hides it, also while its dog is hidden or its author leaves', async (t) => {
  await report(t, t.ana)
  await t.db.transaction().execute((trx) => hideOpinionsOf(trx, t.luis.id, 10))
  await t.db.transaction().execute((trx) => hideDog(trx, t.toby.id, 'admin'))
  await act(t, 'hide')
  assert.equal(await t.db.selectFrom('breed_opinions').select('id').execute(), [])
  assert.is((await findHidden(t.db, 'opinion', t.id))?.cause, 'admin')
})

reported('one’s own is not reported, nor a breed without a reason, a closed question or what is gone', async (t) => {
  const gone = [404, 'Lo que quieres denunciar ya no está.']
  assert.equal(await refusal(report(t, t.luis)), [422, 'No puedes denunciar algo tuyo.'])
  await setOpinionsAsked(t.db, t.ana, t.toby.id, false)
  assert.equal(await refusal(report(t, t.reporters[0]!)), gone)
  await setOpinionsAsked(t.db, t.ana, t.toby.id, true)
  await t.db.updateTable('breed_opinions_all').set({ reason: '' }).execute()
  assert.equal(await refusal(report(t, t.reporters[0]!)), gone)
  await withdrawOpinion(t.db, t.luis, t.toby.id)
  assert.equal(await refusal(report(t, t.reporters[0]!)), gone)
})

reported('a hidden one goes when its author gives another, with what quotes it', async (t) => {
  await reportByAll(t)
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Boxer', reason: 'La cara.' })
  assert.equal(await reasons(t), ['La cara.'])
  assert.equal(await t.db.selectFrom('breed_opinions_all').select('id').where('hidden', '>', 0).execute(), [])
  assert.equal(await bellOf(t, t.luis), [])
  assert.equal(await refusal(act(t, 'restore')), [409, 'No está oculto.'])
})

reported('a hidden one goes with its question and with the account, and is in the author’s archive', async (t) => {
  await reportByAll(t)
  const held = () => t.db.selectFrom('breed_opinions_all').select('id').where('hidden', '>', 0).execute()
  const [own] = await Array.fromAsync(exportHidden(t.db, t.luis.id))
  assert.is((own as { reason?: string }).reason, 'Por lo feo que es.')
  await t.db
    .transaction()
    .execute(async (trx) => {
      assert.is(await eraseUser(trx, t.luis.id, 10), 1)
      throw new Error('undone')
    })
    .catch(() => {})
  await setOpinionsAsked(t.db, t.ana, t.toby.id, false, 1)
  await deleteExpiredOpinions(t.db, 1 + CLOSED_RETENTION_MS)
  assert.equal(await held(), [])
})
