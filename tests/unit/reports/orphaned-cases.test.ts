import { deleteComment } from '#features/comments/comments.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import {
  countOrphanedCases,
  discardCasesOfMember,
  discardOrphanedCases,
} from '#features/moderation/orphaned-cases.server.ts'
import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { listOwnDecisions, submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { addRealDog, photos } from '#tests/support/dogs/dogs-fixture.ts'
import { ADMIN, admin, caseOf, decide, openCases, report, SALE } from '#tests/support/reports/cases.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import {
  assert,
  dataSuite,
  type Db,
  insert,
  onlyOnSqlite,
  pluck,
  refusal,
  type WorldOf,
} from '#tests/support/suites.ts'

// Cases whose target is deleted.

const cases = dataSuite('unit/reports/orphaned-cases', {
  admin: admin(),
  ana: member({ alias: 'Ana' }),
  luis: member({ alias: 'Luis' }),
})
type Ground = WorldOf<typeof cases>

const allCases = (db: Db) => db.selectFrom('cases').selectAll().execute()

const addHeldDog = (t: Ground, userId: string | null) => addRealDog(t, userId, { description: SALE })
const addPublicDog = async (t: Ground, userId: string, count = 1) =>
  (await addRealDog(t, userId, {}, { uploads: await photos(count) })).dog
const appeal = async ({ db }: Ground, user: { id: string }, deed: string) => {
  const [first] = (await listOwnDecisions(db, user.id)).filter((decision) => decision.action === deed)
  await submitAppeal(db, user, first!.id, 'No es así.', ADMIN)
  return first!.id
}

/** How content that the filter held leaves quarantine by a member: nothing of its case stays. */
const HELD: Record<string, (t: Ground) => Promise<void>> = {
  'its author deletes a comment': async ({ db, ana, luis }) => {
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    await deleteComment(db, luis, (await holdComment(db, luis, toby.id, SALE)).id)
  },
  'its owner deletes a new dog': async (t) => {
    const { dog: added } = await addHeldDog(t, t.luis.id)
    await deleteDog(t.db, t.dir, t.luis, added.id)
  },
  'its owner deletes a dog after an edit': async (t) => {
    const { id } = await addPublicDog(t, t.luis.id)
    await holdDog(t.db, t.luis, id)
    await deleteDog(t.db, t.dir, t.luis, id)
  },
  'the dog of a comment is deleted': async (t) => {
    const { id } = await addPublicDog(t, t.ana.id)
    await holdComment(t.db, t.luis, id, SALE)
    await deleteDog(t.db, t.dir, t.ana, id)
  },
  'the dog of a comment goes with its owner’s account': async (t) => {
    const { id } = await addPublicDog(t, t.ana.id)
    await holdComment(t.db, t.luis, id, SALE)
    await deleteMemberAccount(t.db, t.dir, t.ana, 'delete')
  },
  'the hidden dog of a comment goes with its owner’s account': async (t) => {
    const { id } = await addPublicDog(t, t.ana.id)
    await holdComment(t.db, t.luis, id, SALE)
    await holdDog(t.db, t.ana, id)
    await deleteMemberAccount(t.db, t.dir, t.ana, 'delete')
  },
  'the author’s account is deleted with its dogs': async (t) => {
    const { id } = await addPublicDog(t, t.ana.id)
    await holdComment(t.db, t.luis, id, SALE)
    await addHeldDog(t, t.luis.id)
    await deleteMemberAccount(t.db, t.dir, t.luis, 'delete')
  },
  'the author’s account is deleted without its dogs': async (t) => {
    await addHeldDog(t, t.luis.id)
    const { id } = await addPublicDog(t, t.luis.id)
    await holdDog(t.db, t.luis, id)
    const { dog: claimed, association } = await addHeldDog(t, null)
    await claimDog(t.db, t.luis.id, claimed.id, { ownershipType: 'owner', token: association!.token })
    await deleteMemberAccount(t.db, t.dir, t.luis, 'keep')
    assert.equal(await listHiddenItems(t.db), [])
  },
}
for (const [way, run] of Object.entries(HELD))
  cases(`of what the filter held no case is left: ${way}`, async (t) => {
    await run(t)
    assert.equal(await allCases(t.db), [])
    // The log still says what happened.
    const decisions = await t.db.selectFrom('decisions').select('deed').distinct().execute()
    assert.equal(decisions, [{ deed: 'hold' }])
  })

/** How the target of a case with more in it is deleted: the case is closed. */
const DECIDED: Record<string, (t: Ground) => Promise<void>> = {
  'a comment whose author has appealed': async (t) => {
    const [toby] = await seed(t.db, dog({ owner_id: t.ana.id }))
    const { id } = await holdComment(t.db, t.luis, toby.id, SALE)
    await decide(t, id, 'hide')
    await appeal(t, t.luis, 'hide')
    assert.is((await openCases(t.db)).length, 1)
    await deleteComment(t.db, t.luis, id)
  },
  'a hidden photo whose owner has appealed, with its dog': async (t) => {
    const { id, images } = await addPublicDog(t, t.luis.id, 2)
    const { url } = images![1]!
    await report(t.db, t.ana, 'photo', url)
    await decide(t, url, 'hide')
    await appeal(t, t.luis, 'hide')
    assert.is((await openCases(t.db)).length, 1)
    await deleteDog(t.db, t.dir, t.luis, id)
  },
  'a claimed dog of a visitor': async (t) => {
    const { dog: claimed, association } = await addHeldDog(t, null)
    await claimDog(t.db, t.luis.id, claimed.id, { ownershipType: 'owner', token: association!.token })
    await deleteDog(t.db, t.dir, t.luis, claimed.id)
  },
}
for (const [target, run] of Object.entries(DECIDED))
  cases(`a case with more than the filter’s decision is closed with its target: ${target}`, async (t) => {
    await run(t)
    assert.equal(pluck(await allCases(t.db), 'open'), [0])
    // An account's deletion finds it, and leaves nothing of the member's words in the log.
    await deleteMemberAccount(t.db, t.dir, t.luis, 'delete')
    const decisions = await t.db.selectFrom('decisions').select('what').distinct().execute()
    assert.equal(decisions, [{ what: 'Algo de una cuenta eliminada' }])
  })

cases('open reports, and appeals of a ban, keep the case of what is deleted', async (t) => {
  const { db, dir, ana, luis } = t
  const { id } = await addPublicDog(t, luis.id)
  await report(db, ana, 'dog', id)
  await holdDog(db, luis, id)
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const comment = await holdComment(db, luis, toby.id, SALE)
  await decide(t, comment.id, 'ban')
  await decide(t, comment.id, 'hide')
  await appeal(t, luis, 'ban')
  await deleteDog(db, dir, luis, id)
  await deleteComment(db, luis, comment.id)
  await deleteAllExpired(db, dir)
  assert.equal(new Set(pluck(await openCases(db), 'thing_id')), new Set([id, comment.id]))
})

cases('nobody appeals what only hid something that is deleted, whatever became of its case', async (t) => {
  const { db, luis, ana } = t
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const hold = (n: number) => holdComment(db, luis, toby.id, `${SALE} ${n}`)
  const [deleted, hidden, waiting] = [await hold(1), await hold(2), await hold(3)]
  await decide(t, hidden.id, 'hide')
  const before = await listOwnDecisions(db, luis.id)
  assert.ok(before.every(({ open }) => open))
  for (const { id } of [deleted, hidden]) await deleteComment(db, luis, id)
  const { open = [], closed = [] } = Object.groupBy(await listOwnDecisions(db, luis.id), (decision) =>
    decision.open ? 'open' : 'closed',
  )
  assert.equal(pluck(open, 'label'), [`«${SALE} 3»`])
  const refused = [409, 'Ya no está: no queda nada que decidir.']
  for (const { id } of closed) assert.equal(await refusal(submitAppeal(db, luis, id, 'No vendo.', ADMIN)), refused)
  assert.equal(pluck(await openCases(db), 'thing_id'), [waiting.id])
})

cases('what the admin deletes is logged in its case', async (t) => {
  const { db, luis } = t
  const { dog: added } = await addHeldDog(t, luis.id)
  const [toby] = await seed(db, dog({ owner_id: t.ana.id }))
  const comment = await holdComment(db, luis, toby.id, SALE)
  for (const id of [added.id, comment.id]) {
    const { id: caseId } = await caseOf(db, id)
    await decide(t, id, 'delete')
    const deeds = await db.selectFrom('decisions').select('deed').where('case_id', '=', caseId).execute()
    assert.equal(new Set(deeds.map(({ deed }) => deed)), new Set(['hold', 'delete']))
  }
  assert.equal(await openCases(db), [])
  await appeal(t, luis, 'delete')
  await deleteAllExpired(db, t.dir)
  assert.is((await openCases(db)).length, 1, 'a deletion can be appealed')
})

/** Cases as earlier versions left them: `count` comments of luis's that are gone, and one that waits. */
async function leaveOrphans({ db, ana, luis }: Ground, count: number): Promise<string> {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const waiting = await holdComment(db, luis, toby.id, SALE)
  const { id: caseId } = await caseOf(db, waiting.id)
  const shared = { kind: 'comment', dog_id: toby.id, cause: 'words', user_id: luis.id, latest_at: 5 } as const
  const gone = Array.from({ length: count }, (_, n) => ({
    ...shared,
    id: `g${n}`,
    thing_id: `gone-${n}`,
    created_at: n,
  }))
  await insert(db, 'cases', gone)
  return caseId
}

const CLEANUPS: Record<string, (t: Ground) => Promise<unknown>> = {
  'the retention job': async ({ db, dir }) => deleteAllExpired(db, dir),
  'the doctor': async ({ db }) => {
    assert.is(await countOrphanedCases(db), 250)
    assert.is(await discardOrphanedCases(db), 250)
    assert.is(await countOrphanedCases(db), 0)
  },
}
for (const [name, clean] of Object.entries(CLEANUPS))
  cases(`${name} takes cases out of the queue that earlier versions left`, async (t) => {
    const waiting = await leaveOrphans(t, 250)
    await clean(t)
    assert.equal(pluck(await openCases(t.db), 'id'), [waiting])
  })

cases('so does a ban, of its member’s, but for the case that the admin has before them', async (t) => {
  const waiting = await leaveOrphans(t, 3)
  await t.db.updateTable('cases').set({ user_id: t.ana.id }).where('id', '=', 'g0').execute()
  await decide(t, 'gone-2', 'ban')
  assert.equal(new Set(pluck(await openCases(t.db), 'id')), new Set(['g0', 'g2']))
  assert.is((await allCases(t.db)).find(({ id }) => id === waiting)!.open, 0)
  assert.is((await listHiddenItems(t.db)).length, 1)
})

onlyOnSqlite(cases)('cases and decisions are found by indexes', async (t) => {
  const { db, luis } = t
  await leaveOrphans(t, 3)
  const [toby] = await seed(db, dog())
  const comment = await holdComment(db, luis, toby.id, SALE)
  const plans = await explainQueries(db, async (listening) => {
    await deleteComment(listening, luis, comment.id)
    await listOwnDecisions(listening, luis.id)
    await discardOrphanedCases(listening)
    await discardCasesOfMember(listening, luis.id, '')
  })
  const own = plans.filter(({ sql }) => /\bcases\b/.test(sql))
  assert.ok(own.length >= 5)
  const scans = (steps: string[]) => steps.filter((step) => /^SCAN (?!json_each)/.test(step))
  const slow = own.flatMap(({ sql, steps }) => scans(steps).map((step) => `${step} ← ${sql}`))
  assert.equal(slow, [])
})
