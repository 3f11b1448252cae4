import { deleteComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import {
  countOrphanedCases,
  discardCasesOfMember,
  discardOrphanedCases,
} from '#features/moderation/orphaned-cases.server.ts'
import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { listOwnDecisions, submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, dataSuite, type Db, onlyOnSqlite, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'

// Cases whose target is deleted.

const ADMIN = 'admin@ejemplo.es'
const SALE = 'Se vende por 300 euros'

const cases = dataSuite(
  'unit/reports/orphaned-cases',
  { user: member({ email: ADMIN, alias: 'Admin' }), ana: member({ alias: 'Ana' }), luis: member({ alias: 'Luis' }) },
  async ({ user }) => ({ admin: { user, adminEmail: ADMIN } }),
)
type Ground = WorldOf<typeof cases>

const allCases = (db: Db) => db.selectFrom('cases').select(['id', 'kind', 'thing_id', 'open']).execute()
const openCases = async (db: Db) => (await allCases(db)).filter(({ open }) => open === 1)
const caseOf = async (db: Db, id: string) => (await allCases(db)).find(({ thing_id }) => thing_id === id)!

const addHeldDog = async ({ db, dir }: Ground, userId: string | null) => {
  const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', description: SALE, relationship: 'owner' })
  return addDog(db, dir, { input, uploads: [await photo(0)], userId })
}
const addPublicDog = async ({ db, dir }: Ground, userId: string, photos = 1) => {
  const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', relationship: 'owner' })
  const uploads = await Promise.all(Array.from({ length: photos }, (_, n) => photo(n)))
  return (await addDog(db, dir, { input, uploads, userId })).dog
}
const act = async ({ db, dir, admin }: Ground, id: string, deed: 'hide' | 'ban' | 'delete' | 'restore' | 'dismiss') =>
  applyCaseAction(db, dir, admin, (await caseOf(db, id)).id, { deed, reason: 'Así es.', days: null })
const appeal = async ({ db }: Ground, user: { id: string }, deed: string) => {
  const [first] = (await listOwnDecisions(db, user.id)).filter((decision) => decision.action === deed)
  await submitAppeal(db, user, first!.id, 'No es así.', ADMIN)
  return first!.id
}
const report = ({ db }: Ground, user: { id: string }, kind: 'dog' | 'comment' | 'photo', id: string) =>
  submitReport(db, user, { kind, id, reason: 'spam', words: '' }, 'x')

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
    const decisions = await t.db.selectFrom('decisions').select('deed').execute()
    assert.ok(decisions.length > 0)
    assert.equal(new Set(decisions.map(({ deed }) => deed)), new Set(['hold']))
  })

/** How the target of a case with more in it is deleted: the case is closed. */
const DECIDED: Record<string, (t: Ground) => Promise<void>> = {
  'a comment whose author has appealed': async (t) => {
    const [toby] = await seed(t.db, dog({ owner_id: t.ana.id }))
    const { id } = await holdComment(t.db, t.luis, toby.id, SALE)
    await act(t, id, 'hide')
    await appeal(t, t.luis, 'hide')
    assert.is((await openCases(t.db)).length, 1)
    await deleteComment(t.db, t.luis, id)
  },
  'a hidden photo whose owner has appealed, with its dog': async (t) => {
    const { id, images } = await addPublicDog(t, t.luis.id, 2)
    const { url } = images![1]!
    await report(t, t.ana, 'photo', url)
    await act(t, url, 'hide')
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
    assert.equal(
      new Set((await t.db.selectFrom('decisions').select('what').execute()).map(({ what }) => what)),
      new Set(['Algo de una cuenta eliminada']),
    )
  })

cases('open reports, and appeals of a ban, keep the case of what is deleted', async (t) => {
  const { db, dir, ana, luis } = t
  const { id } = await addPublicDog(t, luis.id)
  await report(t, ana, 'dog', id)
  await holdDog(db, luis, id)
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const comment = await holdComment(db, luis, toby.id, SALE)
  await act(t, comment.id, 'ban')
  await act(t, comment.id, 'hide')
  await appeal(t, luis, 'ban')
  await deleteDog(db, dir, luis, id)
  await deleteComment(db, luis, comment.id)
  await deleteAllExpired(db, dir)
  assert.equal(new Set((await openCases(db)).map(({ thing_id }) => thing_id)), new Set([id, comment.id]))
})

cases('nobody appeals what only hid something that is deleted, whatever became of its case', async (t) => {
  const { db, luis, ana } = t
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const [deleted, hidden, waiting] = [
    await holdComment(db, luis, toby.id, `${SALE} 1`),
    await holdComment(db, luis, toby.id, `${SALE} 2`),
    await holdComment(db, luis, toby.id, `${SALE} 3`),
  ]
  await act(t, hidden.id, 'hide')
  const before = await listOwnDecisions(db, luis.id)
  assert.ok(before.every(({ open }) => open))
  for (const { id } of [deleted, hidden]) await deleteComment(db, luis, id)
  const after = await listOwnDecisions(db, luis.id)
  assert.is(after.find(({ open }) => open)!.label, `«${SALE} 3»`)
  assert.is(after.filter(({ open }) => open).length, 1)
  for (const { id, open } of after)
    if (!open)
      assert.equal(await refusal(submitAppeal(db, luis, id, 'No vendo.', ADMIN)), [
        409,
        'Ya no está: no queda nada que decidir.',
      ])
  assert.equal(pluck(await openCases(db), 'thing_id'), [waiting.id])
})

cases('what the admin deletes is logged in its case', async (t) => {
  const { db, luis } = t
  const { dog: added } = await addHeldDog(t, luis.id)
  const [toby] = await seed(db, dog({ owner_id: t.ana.id }))
  const comment = await holdComment(db, luis, toby.id, SALE)
  for (const id of [added.id, comment.id]) {
    const { id: caseId } = await caseOf(db, id)
    await act(t, id, 'delete')
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
  const insert = db.insertInto('cases')
  for (let n = 0; n < count; n++) {
    const target = { kind: 'comment', thing_id: `gone-${n}`, dog_id: toby.id } as const
    await insert
      .values({ id: `g${n}`, ...target, cause: 'words', user_id: luis.id, created_at: n, latest_at: 5 })
      .execute()
  }
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
  await act(t, 'gone-2', 'ban')
  assert.equal(new Set((await openCases(t.db)).map(({ id }) => id)), new Set(['g0', 'g2']))
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

cases.run()
