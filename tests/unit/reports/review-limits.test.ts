import { globSync } from 'node:fs'
import { addComment } from '#features/comments/comments.server.ts'
import { findHiddenDog } from '#features/dogs/hidden-dogs.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import type { Quota } from '#lib/quota.ts'
import { DAY_MS } from '#lib/time.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { addRealDog } from '#tests/support/dogs/dogs-fixture.ts'
import { bellTitles } from '#tests/support/notifications/bell.ts'
import { ADMIN, admin, caseOf, decide, openCases, report, SALE } from '#tests/support/reports/cases.ts'
import { assert, countRows, dataSuite, type Db, dog, insert, member, pluck, refusal } from '#tests/support/suites.ts'
import { seed } from '#tests/support/seed.ts'
import { update } from '#tests/support/rows.ts'

const reviews = dataSuite('unit/reports/review-limits', { admin: admin() })

/** What the admin may look at. */
const everything = async (db: Db) => [await listHiddenItems(db), await db.selectFrom('decisions').selectAll().execute()]
const openCaseOf = async (db: Db, { id }: { id: string }) =>
  (await openCases(db)).find(({ user_id }) => user_id === id)!

reviews('twenty items of one member may be pending, of any kind; the next is refused completely', async (t) => {
  const { db } = t
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const addHeldDog = () => addRealDog(t, luis.id, { name: 'Rex', description: SALE })
  for (let n = 0; n < 19; n++) await holdComment(db, luis, toby.id, `${SALE} ${n}`)
  await addHeldDog()
  const before = await everything(db)
  for (const refused of [() => holdComment(db, luis, toby.id, SALE), addHeldDog])
    assert.is((await refusal(refused()))[0], 429)
  assert.equal(await everything(db), before)
  assert.is((await openCases(db)).length, 20)
  // Nothing else is refused, and others have their own twenty.
  await addComment(db, luis, toby.id, 'Qué guapo')
  await holdComment(db, ana, toby.id, SALE)
  await decide(t, (await openCaseOf(db, luis)).thing_id, 'restore')
  await holdComment(db, luis, toby.id, SALE)
})

reviews('a ban closes the member’s pending items without reports; an appeal opens them again', async (t) => {
  const { db } = t
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  for (let n = 0; n < 5; n++) await holdComment(db, luis, toby.id, `${SALE} ${n}`)
  await holdComment(db, ana, toby.id, SALE)
  const shown = await openCaseOf(db, luis)
  await decide(t, shown.thing_id, 'ban')
  const open = await openCases(db)
  assert.equal(new Set(pluck(open, 'id')), new Set([shown.id, (await openCaseOf(db, ana)).id]))
  const hidden = await db.selectFrom('comments_all').select('hidden').where('user_id', '=', luis.id).execute()
  assert.is(hidden.filter((row) => row.hidden > 0).length, 5)
  const held = (await listOwnDecisions(db, luis.id)).filter(({ action }) => action === 'hold')
  for (const { id } of held) await submitAppeal(db, luis, id, 'No vendo nada.', ADMIN)
  assert.is((await openCases(db)).length, 6)
})

reviews('so many dogs of visitors wait for the admin, whatever for; the next is refused whole', async (t) => {
  const { db, dir } = t
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
  const anonymousReviews = { max: 3, quota }
  const add = (description = '', userId: string | null = null, holdAnonymous = description === '') =>
    addRealDog(t, userId, { name: 'Rex', description }, { holdAnonymous, anonymousReviews })
  const [first, second] = [await add(), await add(SALE)]
  await add()
  const stored = async () => [await everything(db), globSync('**/*.jpg', { cwd: dir }).sort()]
  const before = await stored()
  const refused = [429, 'Ya hay muchos perros por revisar. Entra con tu cuenta para añadir el tuyo.']
  for (const description of ['', SALE]) assert.equal(await refusal(add(description)), refused)
  assert.equal(await stored(), before)
  assert.equal(refusals, [], 'the network’s quota is not asked')
  // Members, and dogs that need no review, are not refused.
  await add(SALE, ana.id)
  await add('', null, false)
  // One that is claimed waits as its member's; one that the admin lets out waits no more.
  await claimDog(db, ana.id, first.dog.id, { ownershipType: 'owner', token: first.association!.token })
  await add()
  assert.is((await refusal(add()))[0], 429)
  await decide(t, second.dog.id, 'restore')
  await add(SALE)
})

reviews('who has twenty that wait claims no more dogs that wait, until one of them is decided', async (t) => {
  const { db } = t
  const [luis, toby] = await seed(db, member({ alias: 'Luis' }), dog())
  const addAnonymous = async (holdAnonymous: boolean) => {
    const added = await addRealDog(t, null, { name: 'Rex' }, { holdAnonymous })
    return [added.dog.id, { ownershipType: 'owner', token: added.association!.token }] as const
  }
  const [claimed, waiting, open] = [await addAnonymous(true), await addAnonymous(true), await addAnonymous(false)]
  await claimDog(db, luis.id, ...claimed)
  for (let n = 0; n < 19; n++) await holdComment(db, luis, toby.id, `${SALE} ${n}`)
  const held = () => findHiddenDog(db, waiting[0])
  const before = await held()
  const refused = [429, 'Ya tienes muchos textos por revisar. Podrás enviar más cuando los hayamos mirado.']
  assert.equal(await refusal(claimDog(db, luis.id, ...waiting)), refused)
  assert.equal(await held(), before)
  assert.is((await caseOf(db, waiting[0])).user_id, null)
  // A wrong token is told nothing else than before, and what is public is claimed as ever.
  assert.is((await refusal(claimDog(db, luis.id, waiting[0], { ...waiting[1], token: 'otra' })))[0], 404)
  await claimDog(db, luis.id, ...open)
  await decide(t, claimed[0], 'restore')
  await claimDog(db, luis.id, ...waiting)
})

reviews('a member’s reports open thirty cases a day; what others have reported can be reported on', async (t) => {
  const { db } = t
  const [luis, eva] = await seed(db, member({ alias: 'Luis' }), member({ alias: 'Eva' }))
  const dogs = pluck(await seed(db, ...Array.from({ length: 34 }, () => dog({ owner_id: null }))), 'id')
  const now = Date.now()
  let at = now
  const send = (who: { id: string }, id: string) => report(db, who, 'dog', id, 'x', ++at)
  await send(eva, dogs[33]!)
  for (const id of dogs.slice(0, 30)) await send(luis, id)
  const before = await countRows(db, 'reports')
  const refused = [429, 'Has enviado muchas denuncias seguidas. Espera un rato, por favor.']
  assert.equal(await refusal(send(luis, dogs[30]!)), refused)
  assert.equal(await countRows(db, 'reports'), before)
  assert.is((await openCases(db)).length, 31)
  assert.equal(await send(luis, dogs[33]!), { isDuplicate: false })
  assert.equal(await send(luis, dogs[0]!), { isDuplicate: true })
  await send(eva, dogs[31]!)
  // What the admin has decided was opened all the same, and to report it again opens it again.
  await decide(t, dogs[0]!, 'dismiss', {}, ++at)
  for (const id of [dogs[0]!, dogs[30]!]) assert.is((await refusal(send(luis, id)))[0], 429)
  at = now + DAY_MS + 1000
  await send(luis, dogs[30]!)
  await send(luis, dogs[0]!)
})

reviews('a ban closes the cases that only banned members reported, and tells nobody', async (t) => {
  const { db } = t
  const alias = (name: string) => member({ alias: name })
  const [ana, mallory, trent, eva, ended] = await seed(
    db,
    alias('Ana'),
    alias('Mallory'),
    alias('Trent'),
    alias('Eva'),
    alias('Iris'),
  )
  const names = ['solo', 'both', 'others', 'hidden', 'appealed', 'ended'] as const
  const dogs = await seed(db, ...names.map((name) => dog({ name, owner_id: ana.id })))
  const targets = Object.fromEntries(dogs.map(({ name, id }) => [name, id])) as Record<(typeof names)[number], string>
  const send = (who: { id: string }, id: string, kind: 'dog' | 'profile' = 'dog') => report(db, who, kind, id)

  // An appeal that waits, and a target that is hidden, beside the report.
  await send(eva, targets.appealed)
  await decide(t, targets.appealed, 'warn')
  await decide(t, targets.appealed, 'dismiss')
  const warning = (await listOwnDecisions(db, ana.id)).find(({ action }) => action === 'warn')!
  await submitAppeal(db, ana, warning.id, 'No es así.', ADMIN)
  for (const id of Object.values(targets)) await send(mallory, id)
  await decide(t, targets.hidden, 'hide')
  await update(db, 'reports', { thing_id: targets.hidden }, { closed_at: null })
  await update(db, 'cases', { thing_id: targets.hidden }, { open: 1, reports: 1 })
  await send(trent, targets.both)
  await send(eva, targets.others)
  await send(ended, targets.ended)
  await insert(db, 'bans', { user_id: ended.id, until: Date.now() - 1, reason: '', created_at: 0 })

  const stillOpen = async () => {
    const open = pluck(await openCases(db), 'thing_id')
    return names.filter((name) => open.includes(targets[name]))
  }
  assert.equal(await stillOpen(), [...names])
  await send(eva, mallory.id, 'profile')
  await decide(t, mallory.id, 'ban', { days: 7 })
  assert.equal(await stillOpen(), ['both', 'others', 'hidden', 'appealed', 'ended'])
  assert.equal([(await caseOf(db, mallory.id)).open, (await caseOf(db, targets.solo)).reports], [1, 0])
  await send(eva, trent.id, 'profile')
  await decide(t, trent.id, 'ban')
  assert.equal(await stillOpen(), ['others', 'hidden', 'appealed', 'ended'])
  const closed = await db
    .selectFrom('reports')
    .select(['thing_id', 'origin'])
    .where('closed_at', 'is not', null)
    .where('thing_id', 'in', [targets.solo, targets.both])
    .execute()
  assert.equal(pluck(closed, 'origin'), [null, null, null])
  assert.equal(
    await bellTitles(db, mallory),
    ['No puedes publicar', 'Gracias por avisar'],
    'only of what the admin hid',
  )
  assert.equal(await bellTitles(db, trent), ['No puedes publicar'])
})

reviews('of many cases of a banned reporter none is left', async (t) => {
  const { db } = t
  const [mallory, eva] = await seed(db, member(), member())
  const dogs = await seed(db, ...Array.from({ length: 25 }, () => dog({ owner_id: null })))
  for (const { id } of dogs) await report(db, mallory, 'dog', id)
  await report(db, eva, 'profile', mallory.id)
  await decide(t, mallory.id, 'ban', { days: 1 })
  assert.equal(pluck(await openCases(db), 'thing_id'), [mallory.id])
})
