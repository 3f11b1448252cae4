import { updateDog } from '#features/dogs/write/edit.server.ts'
import { eraseUser } from '#features/dogs/erase.server.ts'
import { answerSchema, ownershipProblemText } from '#features/dogs/ownership/ownership.ts'
import {
  answerOwnershipRequest,
  requestOwnership,
  loadOwnershipView,
  withdrawOwnershipRequest,
} from '#features/dogs/ownership/ownership.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { refusal, refusalOf } from '#tests/support/refusal.ts'
import {
  assert,
  countRows,
  type Db,
  dbSuite,
  dog,
  member,
  onlyOnSqlite,
  pick,
  pluck,
  rowOf,
  seed,
} from '#tests/support/suites.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY = 86_400_000

/** Luis discovered Toby; Ana and Eva are other members. */
const ownership = dbSuite(
  'unit/dogs/ownership',
  { ana: member({ alias: 'Ana' }), eva: member({ alias: 'Eva' }), luis: member({ alias: 'Luis' }) },
  async ({ db, luis }) => ({ toby: (await seed(db, dog({ name: 'Toby', discoverer_id: luis.id })))[0] }),
)
const dogOf = (db: Db, id: string) => rowOf(db, 'dogs', { id })
const bell = async (db: Db, id: string) => (await listNotifications(db, id)).notifications.toReversed()
const linesOf = async (db: Db, id: string) => (await bell(db, id)).map(({ title, content }) => `${title} ${content}`)
const statusOf = async (deed: Promise<unknown>): Promise<number> => Number((await refusalOf(deed)).slice(0, 3)) || 200

ownership('«Es mi perro» notifies the discoverer, once', async ({ db, ana, luis, toby }) => {
  assert.equal(await loadOwnershipView(db, toby, ana), { kind: 'can-request' })
  await requestOwnership(db, ana, toby.id, NOW)
  await requestOwnership(db, ana, toby.id, NOW + 1)
  assert.equal(await loadOwnershipView(db, toby, ana), { kind: 'requested' })
  const content = 'Ana dice que Toby es suyo. Responde en su página.'
  assert.equal(pick(await bell(db, luis.id), 'type', 'title', 'content', 'dog_id'), [
    ['other', '¿De quién es este perro?', content, toby.id],
  ])
  const view = await loadOwnershipView(db, toby, luis)
  assert.is(view.kind, 'answer')
  if (view.kind === 'answer') assert.equal([view.requests.map((p) => p.alias), view.more], [['Ana'], false])
})

ownership(
  'a confirmed dog belongs to the requester, and other requesters are notified',
  async ({ db, ana, eva, luis, toby }) => {
    await requestOwnership(db, ana, toby.id, NOW)
    await requestOwnership(db, eva, toby.id, NOW)
    await answerOwnershipRequest(db, luis, toby.id, ana.id, true, NOW + DAY)
    const row = await dogOf(db, toby.id)
    assert.equal([row.owner_id, row.discoverer_id, row.updated_at], [ana.id, luis.id, NOW + DAY])
    assert.is(await countRows(db, 'ownership_requests'), 0)
    assert.equal((await linesOf(db, ana.id)).toSorted(), [
      '¡Es tu perro! Luis ha confirmado que Toby es tuyo.',
      '¡Nueva raza en tu álbum! Has descubierto Beagle: ya tienes 1 de 441.',
    ])
    assert.equal(await linesOf(db, eva.id), ['Este perro ya tiene dueño Tu petición sobre Toby se ha cerrado.'])
    for (const who of [ana, eva, luis, null])
      assert.equal(await loadOwnershipView(db, { ...toby, owner_id: ana.id }, who), { kind: 'none' })
  },
)

ownership('a declined requester is notified and must wait thirty days', async ({ db, ana, luis, toby }) => {
  await requestOwnership(db, ana, toby.id, NOW)
  await answerOwnershipRequest(db, luis, toby.id, ana.id, false, NOW)
  assert.is((await dogOf(db, toby.id)).owner_id, null)
  assert.equal((await bell(db, ana.id)).at(-1)!.content, 'Luis no ha confirmado que Toby sea tuyo.')
  assert.equal(await loadOwnershipView(db, toby, ana, NOW + DAY), { kind: 'declined', until: NOW + 30 * DAY })
  assert.equal(await loadOwnershipView(db, toby, luis), { kind: 'none' })
  // Taking it back does not shorten the rest.
  await withdrawOwnershipRequest(db, ana, toby.id)
  const [status, detail] = await refusal(requestOwnership(db, ana, toby.id, NOW + 29 * DAY))
  assert.is(status, 409)
  assert.match(detail, 'Puedes volver a decirlo el 21 de diciembre de 2026.')
  await requestOwnership(db, ana, toby.id, NOW + 30 * DAY)
  assert.equal(await loadOwnershipView(db, toby, ana, NOW + 30 * DAY), { kind: 'requested' })
  assert.is((await bell(db, luis.id)).length, 1, 'both requests are one line')
})

ownership('a request can be withdrawn', async ({ db, ana, luis, toby }) => {
  await requestOwnership(db, ana, toby.id)
  await withdrawOwnershipRequest(db, ana, toby.id)
  await withdrawOwnershipRequest(db, ana, toby.id)
  assert.equal(await loadOwnershipView(db, toby, ana), { kind: 'can-request' })
  assert.is(await statusOf(answerOwnershipRequest(db, luis, toby.id, ana.id, true)), 404)
  assert.is((await dogOf(db, toby.id)).owner_id, null)
})

ownership('only the discoverer answers, and only existing requests', async ({ db, ana, eva, luis, toby }) => {
  await requestOwnership(db, ana, toby.id)
  const answer = (who: typeof ana | null, of = ana.id, id = toby.id) =>
    statusOf(answerOwnershipRequest(db, who, id, of, true))
  assert.equal(await Promise.all([answer(null), answer(eva), answer(ana)]), [401, 403, 403])
  assert.is(await answer(luis, eva.id), 404)
  assert.is(await answer(luis, ana.id, 'nothing'), 404)
  assert.is((await dogOf(db, toby.id)).owner_id, null)
})

ownership('some dogs cannot be requested', async ({ db, ana, luis, toby }) => {
  const [owned] = await seed(db, dog({ owner_id: ana.id }))
  const [anonymous] = await seed(db, dog({ owner_id: null }))
  const ask = (who: typeof ana | null, id: string) => statusOf(requestOwnership(db, who, id))
  assert.is(await ask(null, toby.id), 401)
  assert.is(await ask(ana, 'nothing'), 404)
  assert.is(await ask(luis, toby.id), 409)
  assert.is(await ask(luis, owned.id), 409)
  assert.is(await ask(luis, anonymous.id), 409)
  for (const dog of [owned, anonymous]) assert.equal(await loadOwnershipView(db, dog, luis), { kind: 'none' })
  assert.equal(await loadOwnershipView(db, toby, null), { kind: 'none' })
  assert.is(await countRows(db, 'ownership_requests'), 0)
})

ownership('two simultaneous answers make one owner', async ({ db, ana, eva, luis, toby }) => {
  await requestOwnership(db, ana, toby.id)
  await requestOwnership(db, eva, toby.id)
  const both = [ana, eva].map((who) => statusOf(answerOwnershipRequest(db, luis, toby.id, who.id, true)))
  assert.equal((await Promise.all(both)).toSorted(), [200, 409])
  const { owner_id } = await dogOf(db, toby.id)
  const loser = owner_id === ana.id ? eva : ana
  assert.equal(pluck(await bell(db, loser.id), 'title'), ['Este perro ya tiene dueño'])
})

ownership('a discoverer who claims the dog in the form closes the requests', async ({ db, ana, luis, toby }) => {
  await requestOwnership(db, ana, toby.id)
  await updateDog(db, luis, toby.id, { relationship: 'owner' })
  assert.is(await countRows(db, 'ownership_requests'), 0)
  assert.is((await bell(db, ana.id)).at(-1)!.title, 'Este perro ya tiene dueño')
})

ownership(
  'a deleted account deletes its requests and those that only it could answer',
  async ({ db, ana, eva, luis, toby }) => {
    const [luna] = await seed(db, dog({ discoverer_id: eva.id }))
    await requestOwnership(db, ana, toby.id)
    await requestOwnership(db, ana, luna.id)
    await requestOwnership(db, luis, luna.id)
    await eraseUser(db, luis.id, 'keep')
    const left = await db.selectFrom('ownership_requests').select(['dog_id', 'user_id']).execute()
    assert.equal(left, [{ dog_id: luna.id, user_id: ana.id }])
    assert.is(await statusOf(requestOwnership(db, ana, toby.id)), 409)
  },
)

ownership('the discoverer sees the oldest twenty', async ({ db, luis, toby }) => {
  for (let i = 0; i < 21; i++) {
    const [one] = await seed(db, member({ alias: `Socio ${i}` }))
    await requestOwnership(db, one, toby.id, NOW + i)
  }
  const view = await loadOwnershipView(db, toby, luis)
  if (view.kind !== 'answer') return assert.unreachable()
  assert.equal([view.requests.length, view.requests[0]!.alias, view.more], [20, 'Socio 0', true])
})

onlyOnSqlite(ownership)('no query for a page’s ownership state scans a table', async ({ db, ana, luis, toby }) => {
  const plans = await explainQueries(db, async (listening) => {
    await loadOwnershipView(listening, toby, ana)
    await loadOwnershipView(listening, toby, luis)
  })
  assert.equal(findSlowSteps(plans), [])
  assert.match(plans.at(-1)!.steps.join(), /ownership_requests_open/)
})

ownership('an answer is yes or no, as JSON or from a form', () => {
  for (const accept of [true, false])
    for (const given of [accept, String(accept)]) assert.is(answerSchema.parse({ accept: given }).accept, accept)
  for (const accept of ['', 'sí', 1, null, undefined]) assert.not.ok(answerSchema.safeParse({ accept }).success)
  assert.is(ownershipProblemText('409'), 'Esto ha cambiado mientras mirabas. Así está ahora.')
  for (const text of [null, '', '200', 'constructor', '<b>']) assert.is(ownershipProblemText(text), null, String(text))
})
