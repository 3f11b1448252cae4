import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { emptyDog } from '#features/dogs/empty-dog.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { listNotifications, markAllRead } from '#features/notifications/notifications.server.ts'
import { eraseUser } from '#features/opinions/erase.server.ts'
import { hideOpinionsOf, showOpinionsOf } from '#features/opinions/hidden-opinions.server.ts'
import { giveOpinion, setOpinionsAsked, withdrawOpinion } from '#features/opinions/opinions.server.ts'
import { MAX_OPINIONS } from '#features/opinions/opinions.ts'
import { CLOSED_RETENTION_MS, deleteExpiredOpinions } from '#features/opinions/retention.server.ts'
import { findOwnOpinion, listOpinions, readTally, summariseOpinions } from '#features/opinions/tally.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { type CurrentUser, dog, member, seed } from '#tests/support/seed.ts'
import { assert, dbSuite, onlyOnSqlite, refusal, type WorldOf } from '#tests/support/suites.ts'

const opinions = dbSuite(
  'unit/opinions/opinions',
  { luis: member(), eva: member(), ana: member(), toby: dog() },
  async ({ db, ana, toby }) => {
    await setOpinionsAsked(db, ana, toby.id, true, 1)
  },
)
type World = WorldOf<typeof opinions>

const tallyOf = async ({ db, toby }: World) =>
  (await readTally(db, toby.id)).map(({ name, opinions: count }) => `${count} ${name}`)
const summaryOf = ({ db, toby }: World, user: CurrentUser | null) => summariseOpinions(db, toby, user)

opinions('members’ opinions are counted by breed, the most named first', async (t) => {
  const people = await seed(t.db, member(), member(), member())
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Galgo español' })
  for (const person of people) await giveOpinion(t.db, person, t.toby.id, { breed: 'podenco andaluz' })
  assert.equal(await tallyOf(t), ['3 Podenco andaluz', '1 Galgo español'])
  assert.is((await summaryOf(t, null))?.total, 4)
})

opinions('a second opinion of a member takes the place of the first', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle', reason: 'Las orejas.' })
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Boxer' })
  assert.equal(await tallyOf(t), ['1 Bóxer'])
  assert.equal(await findOwnOpinion(t.db, t.toby.id, t.luis), { breed: 'Bóxer', reason: '' })
})

opinions('an opinion is taken back, also twice', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle' })
  for (const _ of [1, 2]) await withdrawOpinion(t.db, t.luis, t.toby.id)
  assert.equal([await tallyOf(t), await findOwnOpinion(t.db, t.toby.id, t.luis)], [[], null])
})

opinions('an opinion changes nothing of the dog, and earns nobody a badge', async (t) => {
  const read = async () => [
    await t.db.selectFrom('dogs').selectAll().where('id', '=', t.toby.id).executeTakeFirst(),
    await t.db.selectFrom('badges').selectAll().execute(),
    await t.db.selectFrom('jobs').select(['key', 'version']).where('topic', '=', 'badges').orderBy('key').execute(),
    await t.db.selectFrom('member_breeds').selectAll().execute(),
  ]
  const before = await read()
  for (const person of [t.luis, t.eva]) await giveOpinion(t.db, person, t.toby.id, { breed: 'Boxer' })
  assert.equal(await read(), before)
})

opinions('a breed that is in no catalogue is refused', async ({ db, luis, toby }) => {
  const sentence = 'No conocemos esa raza. Elige una de la lista.'
  for (const breed of ['Dragón de Komodo', 'xx'])
    assert.equal(await refusal(giveOpinion(db, luis, toby.id, { breed })), [422, sentence])
  assert.equal(await readTally(db, toby.id), [])
})

opinions('a reason has 200 characters as a person counts them', async (t) => {
  const give = (reason: string) => giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle', reason })
  await give('👨‍👩‍👧‍👦'.repeat(100) + 'a'.repeat(100))
  const long = 'El motivo no puede tener más de 200 caracteres.'
  assert.equal(await refusal(give('a'.repeat(201))), [422, long])
  await give('  Por las\n\norejas. ')
  assert.is((await findOwnOpinion(t.db, t.toby.id, t.luis))?.reason, 'Por las orejas.')
})

opinions('a reason that reads like an offer of sale or a slur is refused', async ({ db, luis, toby }) => {
  for (const reason of ['Se vende', 'Vendo uno igual'])
    assert.equal(await refusal(giveOpinion(db, luis, toby.id, { breed: 'Beagle', reason })), [
      422,
      'Ese motivo no se puede publicar. Escríbelo de otra manera.',
    ])
})

opinions('the dog’s own people have no opinion to give: they decide', async ({ db, eva, ana, luis, toby }) => {
  const [found] = await seed(db, dog({ owner_id: ana.id, discoverer_id: eva.id, user_id: luis.id }))
  await setOpinionsAsked(db, ana, found.id, true)
  const sentence = 'Es tu perro: aquí opinan los demás, y tú decides.'
  assert.equal(await refusal(giveOpinion(db, ana, toby.id, { breed: 'Beagle' })), [403, sentence])
  for (const person of [ana, eva, luis])
    assert.equal(await refusal(giveOpinion(db, person, found.id, { breed: 'Beagle' })), [403, sentence])
})

opinions('blocked and banned members, and visitors, give no opinion', async ({ db, luis, eva, ana, toby }) => {
  const give = (user: CurrentUser | null) => refusal(giveOpinion(db, user, toby.id, { breed: 'Beagle' }))
  await addBlock(db, ana, luis.id)
  assert.equal(await give(luis), [403, 'No puedes hacerlo: uno de los dos ha bloqueado al otro.'])
  await ban(db, eva.id, { until: null, reason: 'Spam' })
  assert.equal([(await give(eva))[0], (await give(null))[0]], [403, 401])
})

opinions('opinions are given only where they are asked for', async ({ db, luis, ana, toby }) => {
  const notAsked = [409, 'Sobre este perro no se piden opiniones ahora.']
  const [lola] = await seed(db, dog({ owner_id: ana.id }))
  assert.equal(await refusal(giveOpinion(db, luis, lola.id, { breed: 'Beagle' })), notAsked)
  await setOpinionsAsked(db, ana, toby.id, false)
  assert.equal(await refusal(giveOpinion(db, luis, toby.id, { breed: 'Beagle' })), notAsked)
  const unknown = '00000000-0000-4000-8000-000000000001'
  assert.is((await refusal(giveOpinion(db, luis, unknown, { breed: 'Beagle' })))[0], 404)
})

opinions('the owner asks, and the discoverer where there is no owner', async ({ db, luis, eva, ana }) => {
  const sentence = 'Solo su dueño, o quien lo descubrió si no lo tiene, pregunta por su raza.'
  const [found, stray, nobodys] = await seed(
    db,
    dog({ owner_id: ana.id, discoverer_id: eva.id }),
    dog({ discoverer_id: eva.id }),
    dog({ owner_id: null, user_id: null }),
  )
  for (const [user, id] of [
    [eva, found.id],
    [luis, stray.id],
    [luis, nobodys.id],
  ] as const)
    assert.equal(await refusal(setOpinionsAsked(db, user, id, true)), [403, sentence])
  await setOpinionsAsked(db, eva, stray.id, true)
  assert.is((await summariseOpinions(db, stray, luis))?.isOpen, true)
  await ban(db, eva.id, { until: null, reason: 'Spam' })
  await setOpinionsAsked(db, eva, stray.id, false)
  assert.is((await refusal(setOpinionsAsked(db, eva, stray.id, true)))[0], 403)
})

opinions('a closed question shows nothing, and its opinions are there when it is opened again', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle' })
  await setOpinionsAsked(t.db, t.ana, t.toby.id, false)
  assert.is(await summaryOf(t, t.luis), null)
  assert.equal(await summaryOf(t, t.ana), { isOpen: false, isDecider: true, total: 0, breeds: [], reasons: [] })
  await setOpinionsAsked(t.db, t.ana, t.toby.id, true)
  assert.is((await summaryOf(t, t.luis))?.total, 1)
})

opinions('30 days after it was closed a question goes with its opinions', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle' })
  await setOpinionsAsked(t.db, t.ana, t.toby.id, false, 1000)
  assert.is(await deleteExpiredOpinions(t.db, 999 + CLOSED_RETENTION_MS), 0)
  assert.is(await deleteExpiredOpinions(t.db, 1000 + CLOSED_RETENTION_MS), 2)
  assert.equal(await t.db.selectFrom('breed_opinions').selectAll().execute(), [])
  assert.equal(await t.db.selectFrom('opinion_requests').selectAll().execute(), [])
})

opinions('a dog of nobody asks nothing, and one in quarantine comes back with what was said', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle' })
  await t.db.transaction().execute((trx) => hideDog(trx, t.toby.id, 'admin'))
  assert.is((await refusal(giveOpinion(t.db, t.eva, t.toby.id, { breed: 'Beagle' })))[0], 404)
  await t.db.transaction().execute((trx) => showDog(trx, t.toby.id))
  assert.is((await summaryOf(t, null))?.total, 1)
  await t.db.updateTable('dogs_all').set({ owner_id: null }).where('id', '=', t.toby.id).execute()
  assert.is(await summariseOpinions(t.db, { ...t.toby, owner_id: null }, null), null)
})

opinions('the deletion of a dog deletes its question and opinions', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle' })
  await emptyDog(t.db, t.toby.id)
  assert.equal(await t.db.selectFrom('breed_opinions').selectAll().execute(), [])
  assert.equal(await t.db.selectFrom('opinion_requests').selectAll().execute(), [])
})

opinions('opinions of an account that waits for its deletion are out of sight until it is back', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle', reason: 'Las orejas.' })
  assert.equal([await hideOpinionsOf(t.db, t.luis.id, 10), await hideOpinionsOf(t.db, t.luis.id, 10)], [1, 0])
  assert.equal(await summaryOf(t, null), { isOpen: true, isDecider: false, total: 0, breeds: [], reasons: [] })
  assert.equal((await listOpinions(t.db, t.toby.id)).opinions, [])
  await showOpinionsOf(t.db, t.luis.id, 10)
  assert.is((await summaryOf(t, null))?.reasons.length, 1)
  assert.is(await eraseUser(t.db, t.luis.id, 10), 1)
  assert.equal(await tallyOf(t), [])
})

opinions('reasons of members with a block are not read; their opinions count', async (t) => {
  await giveOpinion(t.db, t.luis, t.toby.id, { breed: 'Beagle', reason: 'Las orejas.' })
  await addBlock(t.db, t.eva, t.luis.id)
  const summary = await summaryOf(t, t.eva)
  assert.equal([summary?.total, summary?.reasons], [1, []])
  assert.equal((await listOpinions(t.db, t.toby.id, { user: t.eva })).opinions, [])
})

opinions('all opinions are listed page by page, newest first', async (t) => {
  const rows = Array.from({ length: 45 }, (_, i) => i)
  const people = await seed(t.db, ...rows.map(() => member()))
  for (const [i, person] of people.entries())
    await giveOpinion(t.db, person, t.toby.id, { breed: 'Beagle', reason: `${i}` }, 1000 + Math.floor(i / 3))
  const seen: string[] = []
  const sizes: number[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await listOpinions(t.db, t.toby.id, { cursor })
    sizes.push(page.opinions.length)
    seen.push(...page.opinions.map(({ reason }) => reason))
    cursor = page.nextCursor
  }
  assert.equal(sizes, [20, 20, 5])
  assert.equal(
    seen.map(Number).toSorted((a, b) => a - b),
    rows,
  )
  assert.equal(
    seen.map((reason) => Math.floor(Number(reason) / 3)),
    rows.map((i) => 14 - Math.floor(i / 3)),
  )
  assert.is((await refusal(listOpinions(t.db, t.toby.id, { cursor: 'x' })))[0], 422)
})

opinions('a dog has at most 500 opinions, and who has given one may change it', async ({ db, toby, luis, eva }) => {
  await giveOpinion(db, luis, toby.id, { breed: 'Beagle' })
  const people = await seed(db, ...Array.from({ length: MAX_OPINIONS - 1 }, () => member()))
  for (const { id } of people)
    await db
      .insertInto('breed_opinions_all')
      .values({ id, dog_id: toby.id, user_id: id, breed_slug: 'beagle', reason: '', created_at: 1 })
      .execute()
  const full = 'Este perro ya tiene muchísimas opiniones. ¡Gracias igualmente!'
  assert.equal(await refusal(giveOpinion(db, eva, toby.id, { breed: 'Boxer' })), [409, full])
  await giveOpinion(db, luis, toby.id, { breed: 'Boxer' })
})

onlyOnSqlite(opinions)('no query of a page scans a table', async ({ db, toby, luis, ana, eva }) => {
  await addBlock(db, ana, eva.id)
  await giveOpinion(db, luis, toby.id, { breed: 'Beagle', reason: 'Las orejas.' })
  const plans = await explainQueries(db, async (listening) => {
    for (const user of [null, luis, ana]) await summariseOpinions(listening, toby, user)
    await listOpinions(listening, toby.id)
    await findOwnOpinion(listening, toby.id, luis)
  })
  // The catalogue is read once a process.
  const slow = findSlowSteps(plans).filter((step) => !step.includes('breed_overrides'))
  assert.equal(slow, [])
  assert.match(plans.map(({ steps }) => steps.join()).join(), /COVERING INDEX breed_opinions_tally/)
})

opinions('who asks has one unread line, however many opinions come', async ({ db, ana, luis, eva, toby }) => {
  const [pau] = await seed(db, member())
  const lines = async () =>
    (await listNotifications(db, ana.id)).notifications.map(({ title, content, is_read }) => [title, content, is_read])
  const line = ['Opiniones sobre la raza', `¿Qué raza es ${toby.name}? Hay opiniones nuevas.`]
  for (const person of [luis, eva]) await giveOpinion(db, person, toby.id, { breed: 'Beagle' })
  assert.equal(await lines(), [[...line, false]])
  await markAllRead(db, ana)
  await giveOpinion(db, luis, toby.id, { breed: 'Boxer' })
  assert.equal(await lines(), [[...line, true]])
  await giveOpinion(db, pau, toby.id, { breed: 'Boxer' })
  assert.equal(await lines(), [[...line, false]])
  await setOpinionsAsked(db, ana, toby.id, false)
  assert.equal(await lines(), [])
})
