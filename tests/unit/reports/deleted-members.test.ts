import { listOwnDecisions, submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { hideTarget } from '#features/reports/cases/target-visibility.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { listDecisionLog } from '#features/reports/cases/case-queue.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { ADMIN, admin, decide, report } from '#tests/support/reports/cases.ts'
import { assert, dataSuite, dog, member, rowOf, seed, type WorldOf } from '#tests/support/suites.ts'

const DELETED_LABEL = 'Algo de una cuenta eliminada'

const erase = dataSuite(
  'unit/reports/deleted-members',
  { admin: admin(), reporter: member({ alias: 'Quien avisa' }) },
  async (t) => ({
    act: async (kind: 'dog' | 'profile', id: string, deed: DecisionInput['deed'], reason: string) => {
      await submitReport(t.db, t.reporter, { kind, id, reason: 'spam', words: 'Lo que dijo' }, 'x')
      await decide(t, id, deed, { reason })
    },
  }),
)
type Ground = WorldOf<typeof erase>

const log = async (t: Ground) =>
  (await listDecisionLog(t.db, t.admin)).rows
    .map(({ action, label, reason, admin: by }) => [action, label, reason, by].join(' · '))
    .sort()

erase('the case of a dog that stays remains, without the member’s name and texts', async (t) => {
  const { db, dir, act } = t
  const [ana, toby] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }))
  await act('dog', toby.id, 'warn', 'Ana, sin anuncios.')
  await act('dog', toby.id, 'note', 'Ana ya lo hizo otra vez.')
  await deleteMemberAccount(db, dir, ana, 'keep')
  assert.equal(await log(t), [`note · ${DELETED_LABEL} ·  · Admin`, `warn · ${DELETED_LABEL} ·  · Admin`])
  const cases = await db.selectFrom('cases').select(['thing_id', 'user_id', 'open', 'reports']).execute()
  assert.equal(cases, [{ thing_id: toby.id, user_id: null, open: 1, reports: 1 }])
  assert.is((await db.selectFrom('reports').selectAll().execute()).length, 1)
})

erase('a decision sent to both members of a dog stays for the other; a message to one alone does not', async (t) => {
  const { db, dir, act } = t
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const [toby] = await seed(db, dog({ name: 'Toby', owner_id: ana.id, discoverer_id: luis.id }))
  await act('dog', toby.id, 'warn', 'Ana, sin anuncios.')
  await act('dog', toby.id, 'hide', 'La foto no es suya.')
  await deleteMemberAccount(db, dir, ana, 'delete')
  assert.equal(await log(t), [
    'hide · Toby, Beagle · La foto no es suya. · Admin',
    `warn · ${DELETED_LABEL} ·  · Admin`,
  ])
  const [read] = await listOwnDecisions(db, luis.id)
  assert.equal([read!.label, read!.reason], ['Toby, Beagle', 'La foto no es suya.'])
  const { hidden, owner_id, discoverer_id, user_id } = await rowOf(db, 'dogs_all', {})
  assert.equal([hidden > 0, owner_id, discoverer_id, user_id], [true, null, luis.id, null])
})

erase('decisions about others remain; a deleted admin loses only the name', async (t) => {
  const { db, dir, act, admin: asker } = t
  const [ana, luis, luna] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }), dog({ name: 'Luna' }))
  await act('profile', luis.id, 'warn', 'Sin insultos.')
  await submitReport(db, ana, { kind: 'dog', id: luna.id, reason: 'otra', words: 'Lo de Ana' }, 'y')
  await deleteMemberAccount(db, dir, ana, 'keep')
  assert.equal(await log(t), [`warn · ${luis.emoji} Luis · Sin insultos. · Admin`])
  assert.equal(await db.selectFrom('reports').select('words').execute(), [{ words: 'Lo que dijo' }])
  await deleteMemberAccount(db, dir, asker.user, 'keep')
  const rows = await db.selectFrom('decisions').select(['admin_id', 'what', 'reason']).execute()
  assert.equal(rows, [{ admin_id: null, what: `${luis.emoji} Luis`, reason: 'Sin insultos.' }])
  assert.is((await listOwnDecisions(db, luis.id)).length, 1)
})

erase('the cases that only a deleted member’s reports opened leave the queue', async (t) => {
  const { db, dir, act } = t
  const [ana, luis, eva] = await seed(db, member(), member({ alias: 'Luis' }), member({ alias: 'Eva' }))
  const names = ['alone', 'others', 'decided', 'hidden', 'appealed', 'waiting'] as const
  const dogs = await seed(db, ...names.map((name) => dog({ name, owner_id: ana.id })))
  const ids = Object.fromEntries(dogs.map(({ name, id }) => [name, id])) as Record<(typeof names)[number], string>
  await act('dog', ids.decided, 'dismiss', '')
  await act('dog', ids.appealed, 'warn', 'Sin anuncios.')
  await decide(t, ids.appealed, 'dismiss')
  const [warning] = (await listOwnDecisions(db, ana.id)).filter(({ action }) => action === 'warn')
  await submitAppeal(db, ana, warning!.id, 'No es así.', ADMIN)
  await holdDog(db, ana, ids.waiting)
  for (const name of names) if (name !== 'waiting') await report(db, luis, 'dog', ids[name])
  await report(db, eva, 'dog', ids.others)
  await hideTarget(db, { kind: 'dog', id: ids.hidden }, 'reports', async () => {})
  await deleteMemberAccount(db, dir, luis, 'delete')
  const states: Record<string, unknown> = {}
  for (const name of names) {
    const found = await db.selectFrom('cases').selectAll().where('thing_id', '=', ids[name]).executeTakeFirst()
    states[name] = found ? [found.open, found.reports] : null
  }
  assert.equal(states, {
    alone: null,
    others: [1, 1],
    decided: [0, 0],
    hidden: [1, 0],
    appealed: [1, 0],
    waiting: [1, 0],
  })
})

erase('accounts that report and are deleted fill no queue', async ({ db, dir }) => {
  const [, ...dogs] = await seed(db, member(), ...Array.from({ length: 5 }, () => dog()))
  for (let round = 0; round < 3; round++) {
    const [mallory] = await seed(db, member())
    for (const { id } of dogs) await report(db, mallory, 'dog', id)
    await deleteMemberAccount(db, dir, mallory, 'delete')
  }
  assert.equal(await db.selectFrom('cases').select('id').execute(), [])
})
