import { globSync } from 'node:fs'
import { addComment } from '#features/comments/comments.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { findHiddenDog } from '#features/dogs/hidden-dogs.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import type { Quota } from '#lib/quota.ts'
import { DAY_MS } from '#lib/time.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, dataSuite, type Db, dog, insert, member, pluck, refusal, seed } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'

const reviews = dataSuite(
  'unit/reports/review-limits',
  { user: member({ email: ADMIN, alias: 'Admin' }) },
  async ({ user }) => ({ admin: { user, adminEmail: ADMIN } }),
)

const SALE = 'Se vende por 300 euros'
const openCases = (db: Db) =>
  db.selectFrom('cases').select(['id', 'thing_id', 'user_id']).where('open', '=', 1).execute()

reviews(
  'twenty items of one member may be pending, of any kind; the next is refused completely',
  async ({ db, dir, admin }) => {
    const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', description: SALE })
    const addHeldDog = async () => addDog(db, dir, { input, uploads: [await photo(0)], userId: luis.id })
    for (let n = 0; n < 19; n++) await holdComment(db, luis, toby.id, `${SALE} ${n}`)
    await addHeldDog()
    const rows = async () => [await listHiddenItems(db), await db.selectFrom('decisions').selectAll().execute()]
    const before = await rows()
    for (const refused of [() => holdComment(db, luis, toby.id, SALE), addHeldDog])
      assert.is((await refusal(refused()))[0], 429)
    assert.equal(await rows(), before)
    assert.is((await openCases(db)).length, 20)
    // Nothing else is refused, and others have their own twenty.
    await addComment(db, luis, toby.id, 'Qué guapo')
    await holdComment(db, ana, toby.id, SALE)
    const { id } = (await openCases(db)).find(({ user_id }) => user_id === luis.id)!
    await applyCaseAction(db, dir, admin, id, { deed: 'restore', reason: 'Está bien.', days: null })
    await holdComment(db, luis, toby.id, SALE)
  },
)

reviews(
  'a ban closes the member’s pending items without reports; an appeal opens them again',
  async ({ db, dir, admin }) => {
    const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    for (let n = 0; n < 5; n++) await holdComment(db, luis, toby.id, `${SALE} ${n}`)
    await holdComment(db, ana, toby.id, SALE)
    const [shown] = (await openCases(db)).filter(({ user_id }) => user_id === luis.id)
    await applyCaseAction(db, dir, admin, shown!.id, { deed: 'ban', reason: 'Vende.', days: null })
    const open = await openCases(db)
    assert.equal(open.map(({ user_id, id }) => [user_id === ana.id, id === shown!.id]).toSorted(), [
      [false, true],
      [true, false],
    ])
    const stillHidden = db
      .selectFrom('comments_all')
      .select('id')
      .where('hidden', '>', 0)
      .where('user_id', '=', luis.id)
    assert.is((await stillHidden.execute()).length, 5)
    const held = (await listOwnDecisions(db, luis.id)).filter(({ action }) => action === 'hold')
    for (const { id } of held) await submitAppeal(db, luis, id, 'No vendo nada.', ADMIN)
    assert.is((await openCases(db)).length, 6)
  },
)

const RESTORE = { deed: 'restore', reason: 'Está bien.', days: null } as const
const report = (id: string, kind: 'dog' | 'profile' = 'dog') => ({ kind, id, reason: 'spam', words: '' }) as const

reviews('so many dogs of visitors wait for the admin, whatever for; the next is refused whole', async (t) => {
  const { db, dir, admin } = t
  const [ana] = await seed(db, member({ alias: 'Ana' }))
  const refusals: string[] = []
  const quota: Quota = async (action) => {
    try {
      return await action()
    } catch (error) {
      refusals.push(String(error))
      throw error
    }
  }
  const add = async (description = '', userId: string | null = null) => {
    const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', description })
    const anonymousReviews = { max: 3, quota }
    return addDog(db, dir, {
      input,
      uploads: [await photo(0)],
      userId,
      holdAnonymous: description === '',
      anonymousReviews,
    })
  }
  const [first, second] = [await add(), await add(SALE)]
  await add()
  const everything = async () => [
    await listHiddenItems(db),
    await db.selectFrom('decisions').selectAll().execute(),
    globSync('**/*.jpg', { cwd: dir }).sort(),
  ]
  const before = await everything()
  for (const description of ['', SALE])
    assert.equal(await refusal(add(description)), [
      429,
      'Ya hay muchos perros por revisar. Entra con tu cuenta para añadir el tuyo.',
    ])
  assert.equal(await everything(), before)
  assert.equal(refusals, [], 'the network’s quota is not asked')
  // Members, and dogs that need no review, are not refused.
  await add(SALE, ana.id)
  const input = dogSchema.parse({ name: 'Rex', breed: 'beagle' })
  await addDog(db, dir, { input, uploads: [await photo(0)], userId: null, anonymousReviews: { max: 3, quota } })
  // One that is claimed waits as its member's; one that the admin lets out waits no more.
  await claimDog(db, ana.id, first.dog.id, { ownershipType: 'owner', token: first.association!.token })
  await add()
  assert.is((await refusal(add()))[0], 429)
  const reportCase = (await openCases(db)).find(({ thing_id }) => thing_id === second.dog.id)!
  await applyCaseAction(db, dir, admin, reportCase.id, RESTORE)
  await add(SALE)
})

reviews('who has twenty that wait claims no more dogs that wait, until one of them is decided', async (t) => {
  const { db, dir, admin } = t
  const [luis, toby] = await seed(db, member({ alias: 'Luis' }), dog())
  const input = dogSchema.parse({ name: 'Rex', breed: 'beagle' })
  const addAnonymous = async (holdAnonymous: boolean) => {
    const added = await addDog(db, dir, { input, uploads: [await photo(0)], userId: null, holdAnonymous })
    return [added.dog.id, { ownershipType: 'owner', token: added.association!.token }] as const
  }
  const [claimed, waiting, open] = [await addAnonymous(true), await addAnonymous(true), await addAnonymous(false)]
  await claimDog(db, luis.id, ...claimed)
  for (let n = 0; n < 19; n++) await holdComment(db, luis, toby.id, `${SALE} ${n}`)
  const held = () => findHiddenDog(db, waiting[0])
  const before = await held()
  assert.equal(await refusal(claimDog(db, luis.id, ...waiting)), [
    429,
    'Ya tienes muchos textos por revisar. Podrás enviar más cuando los hayamos mirado.',
  ])
  assert.equal(await held(), before)
  assert.is((await openCases(db)).find(({ thing_id }) => thing_id === waiting[0])!.user_id, null)
  // A wrong token is told nothing else than before, and what is public is claimed as ever.
  assert.is((await refusal(claimDog(db, luis.id, waiting[0], { ...waiting[1], token: 'otra' })))[0], 404)
  await claimDog(db, luis.id, ...open)
  const reportCase = (await openCases(db)).find(({ thing_id }) => thing_id === claimed[0])!
  await applyCaseAction(db, dir, admin, reportCase.id, RESTORE)
  await claimDog(db, luis.id, ...waiting)
})

reviews('a member’s reports open thirty cases a day; what others have reported can be reported on', async (t) => {
  const { db, dir, admin } = t
  const [, luis, eva] = await seed(db, member(), member({ alias: 'Luis' }), member({ alias: 'Eva' }))
  const dogs: string[] = []
  for (let n = 0; n < 34; n++) dogs.push((await seed(db, dog({ name: `Toby ${n}` })))[0].id)
  const now = Date.now()
  let at = now
  const send = (who: { id: string }, id: string) => submitReport(db, who, report(id), 'x', ++at)
  await send(eva, dogs[33]!)
  for (const id of dogs.slice(0, 30)) await send(luis, id)
  const stored = () => db.selectFrom('reports').select('id').execute()
  const before = await stored()
  assert.equal(await refusal(send(luis, dogs[30]!)), [
    429,
    'Has enviado muchas denuncias seguidas. Espera un rato, por favor.',
  ])
  assert.equal(await stored(), before)
  assert.is((await openCases(db)).length, 31)
  assert.equal(await send(luis, dogs[33]!), { isDuplicate: false })
  assert.equal(await send(luis, dogs[0]!), { isDuplicate: true })
  await send(eva, dogs[31]!)
  // What the admin has decided was opened all the same, and to report it again opens it again.
  const reportCase = (await openCases(db)).find(({ thing_id }) => thing_id === dogs[0])!
  await applyCaseAction(db, dir, admin, reportCase.id, { deed: 'dismiss', reason: 'Nada.', days: null }, ++at)
  for (const id of [dogs[0]!, dogs[30]!]) assert.is((await refusal(send(luis, id)))[0], 429)
  at = now + DAY_MS + 1000
  await send(luis, dogs[30]!)
  await send(luis, dogs[0]!)
})

reviews('a ban closes the cases that only banned members reported, and tells nobody', async (t) => {
  const { db, dir, admin } = t
  const [ana, mallory, trent, eva] = await seed(
    db,
    member({ alias: 'Ana' }),
    member({ alias: 'Mallory' }),
    member({ alias: 'Trent' }),
    member({ alias: 'Eva' }),
  )
  const add = async (name: string) => (await seed(db, dog({ name, owner_id: ana.id })))[0].id
  const names = ['solo', 'both', 'others', 'hidden', 'appealed', 'ended'] as const
  const targets = {} as Record<(typeof names)[number], string>
  for (const name of names) targets[name] = await add(name)
  const [ended] = await seed(db, member({ alias: 'Iris' }))
  const send = (who: { id: string }, id: string, kind?: 'profile') => submitReport(db, who, report(id, kind), 'x')
  const caseOf = async (id: string) =>
    db.selectFrom('cases').select(['id', 'open', 'reports']).where('thing_id', '=', id).executeTakeFirstOrThrow()
  const act = async (id: string, deed: 'hide' | 'restore' | 'dismiss' | 'ban' | 'warn', days: number | null = null) =>
    applyCaseAction(db, dir, admin, (await caseOf(id)).id, { deed, reason: 'Así es.', days })

  // An appeal that waits, and a target that is hidden, beside the report.
  await send(eva, targets.appealed)
  await act(targets.appealed, 'warn')
  await act(targets.appealed, 'dismiss')
  const warning = (await listOwnDecisions(db, ana.id)).find(({ action }) => action === 'warn')!
  await submitAppeal(db, ana, warning.id, 'No es así.', ADMIN)
  for (const id of Object.values(targets)) await send(mallory, id)
  await act(targets.hidden, 'hide')
  await db.updateTable('reports').set({ closed_at: null }).where('thing_id', '=', targets.hidden).execute()
  await db.updateTable('cases').set({ open: 1, reports: 1 }).where('thing_id', '=', targets.hidden).execute()
  await send(trent, targets.both)
  await send(eva, targets.others)
  await send(ended, targets.ended)
  await insert(db, 'bans', { user_id: ended.id, until: Date.now() - 1, reason: '', created_at: 0 })

  const stillOpen = async () => {
    const open: string[] = []
    for (const name of names) if ((await caseOf(targets[name])).open === 1) open.push(name)
    return open
  }
  assert.equal(await stillOpen(), [...names])
  await send(eva, mallory.id, 'profile')
  await act(mallory.id, 'ban', 7)
  assert.equal(await stillOpen(), ['both', 'others', 'hidden', 'appealed', 'ended'])
  assert.equal([(await caseOf(mallory.id)).open, (await caseOf(targets.solo)).reports], [1, 0])
  await send(eva, trent.id, 'profile')
  await act(trent.id, 'ban')
  assert.equal(await stillOpen(), ['others', 'hidden', 'appealed', 'ended'])
  const closed = await db
    .selectFrom('reports')
    .select(['thing_id', 'origin'])
    .where('closed_at', 'is not', null)
    .where('thing_id', 'in', [targets.solo, targets.both])
    .execute()
  assert.equal(pluck(closed, 'origin'), [null, null, null])
  const titles = async ({ id }: { id: string }) =>
    (await listNotifications(db, id)).notifications.map(({ title }) => title)
  assert.equal(await titles(mallory), ['No puedes publicar', 'Gracias por avisar'], 'only of what the admin hid')
  assert.equal(await titles(trent), ['No puedes publicar'])
})

reviews('of many cases of a banned reporter none is left', async (t) => {
  const { db, dir, admin } = t
  const [, mallory, eva] = await seed(db, member(), member(), member())
  const dogs: string[] = []
  for (let n = 0; n < 25; n++) dogs.push((await seed(db, dog()))[0].id)
  for (const id of dogs) await submitReport(db, mallory, report(id), 'x')
  await submitReport(db, eva, report(mallory.id, 'profile'), 'x')
  const reportCase = (await openCases(db)).find(({ thing_id }) => thing_id === mallory.id)!
  await applyCaseAction(db, dir, admin, reportCase.id, { deed: 'ban', reason: 'Denuncia por denunciar.', days: 1 })
  assert.equal(pluck(await openCases(db), 'thing_id'), [mallory.id])
})

reviews.run()
