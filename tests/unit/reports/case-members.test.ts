import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { decisionInput, type CaseAction } from '#features/reports/decisions/decisions.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { addRealDog } from '#tests/support/dogs/dogs-fixture.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { admin, openCases, report } from '#tests/support/reports/cases.ts'
import { refusal } from '#tests/support/refusal.ts'
import { assert, type CurrentUser, dataSuite, dog, member, pluck, seed, type WorldOf } from '#tests/support/suites.ts'
import { rowOf } from '#tests/support/rows.ts'

// Whom the queue names is whom a warning or a ban is against: who wrote it, not whose dog it is.

const SLUR = 'Vendo este perro por 300 euros'
const OTHER_MEMBER = [409, 'Ya no es de esa persona. Mira otra vez de quién es antes de decidir.']

const members = dataSuite(
  'unit/reports/case-members',
  { admin: admin(), ada: member({ alias: 'Ada' }), vera: member({ alias: 'Vera' }), eva: member({ alias: 'Eva' }) },
  async (t) => ({ dogId: (await addRealDog(t, t.ada.id, { relationship: 'discoverer' })).dog.id }),
)
type Scene = WorldOf<typeof members>

/** Vera says that the dog is hers, and Ada confirms it. */
async function becomeOwner({ db, ada, vera, dogId }: Scene): Promise<void> {
  await requestOwnership(db, vera, dogId)
  await answerOwnershipRequest(db, ada, dogId, vera.id, true)
}

const caseInQueue = async ({ db, admin }: Scene) => (await listCases(db, admin)).rows[0]!
const aliasesInQueue = async (scene: Scene) => (await caseInQueue(scene)).members.map(({ alias }) => alias)
const act = async (scene: Scene, deed: CaseAction, memberId?: string) => {
  const { id, version } = await caseInQueue(scene)
  const input = { deed, reason: 'Insultos.', days: null, version, member: memberId }
  await applyCaseAction(scene.db, scene.dir, scene.admin, id, input)
}
const isBanned = async ({ db }: Scene, { id }: CurrentUser) => (await findActiveBan(db, id)) !== undefined
const countWaiting = async ({ db }: Scene, { id }: CurrentUser) =>
  (await openCases(db)).filter(({ user_id }) => user_id === id).length

/** Every way in which one of a dog's people writes what the filter doubts. */
const EDITS: Record<string, (scene: Scene) => Promise<unknown>> = {
  description: ({ db, ada, dogId }) => updateDog(db, ada, dogId, { description: SLUR }),
  'photo description': async ({ db, dir, ada, dogId }) => {
    const { url } = await rowOf(db, 'dog_images', { dog_id: dogId })
    await replaceGallery(db, dir, ada, dogId, [url], { alts: [SLUR] })
  },
}
for (const [name, edit] of Object.entries(EDITS))
  members(`a doubted ${name} is its writer’s case, whosoever the dog is`, async (scene) => {
    const { ada, vera } = scene
    await becomeOwner(scene)
    await edit(scene)
    assert.equal(await aliasesInQueue(scene), ['Ada'])
    assert.equal([await countWaiting(scene, ada), await countWaiting(scene, vera)], [1, 0])
    for (const deed of ['warn', 'ban', 'unban'] as const)
      assert.equal(await refusal(act(scene, deed, vera.id)), OTHER_MEMBER)
    await act(scene, 'ban', ada.id)
    assert.equal([await isBanned(scene, ada), await isBanned(scene, vera)], [true, false])
    await act(scene, 'warn', ada.id)
    assert.equal(pluck(await listOwnDecisions(scene.db, ada.id), 'action').toSorted(), ['ban', 'warn'])
    assert.equal(await listOwnDecisions(scene.db, vera.id), [])
  })

members('a writer’s edits of another member’s dogs take their own reviews, and none of the owner’s', async (scene) => {
  const { db, ada, vera } = scene
  for (let n = 0; n < OPEN_REVIEWS_MAX; n++) {
    const [{ id }] = await seed(db, dog({ owner_id: vera.id, discoverer_id: ada.id }))
    await updateDog(db, ada, id, { description: SLUR })
  }
  const [last] = await seed(db, dog({ owner_id: vera.id, discoverer_id: ada.id }))
  assert.is((await refusal(updateDog(db, ada, last.id, { description: SLUR })))[0], 429)
  await updateDog(db, vera, last.id, { description: SLUR })
  assert.equal([await countWaiting(scene, ada), await countWaiting(scene, vera)], [OPEN_REVIEWS_MAX, 1])
})

members('an account deleted since leaves the owner out of what it wrote', async (scene) => {
  const { db, dir, ada, vera } = scene
  await becomeOwner(scene)
  await holdDog(db, ada, scene.dogId)
  await deleteMemberAccount(db, dir, ada, 'keep')
  assert.equal(await aliasesInQueue(scene), [])
  assert.is((await refusal(act(scene, 'ban', vera.id)))[0], 409)
  assert.is(await isBanned(scene, vera), false)
})

members('a reported dog has all its people, and a ban is against whom the admin saw', async (scene) => {
  const { db, ada, vera, eva, dogId } = scene
  await report(db, eva, 'dog', dogId)
  assert.equal(await aliasesInQueue(scene), ['Ada'])
  await becomeOwner(scene)
  await act(scene, 'warn', ada.id)
  await act(scene, 'ban', ada.id)
  assert.equal([await isBanned(scene, ada), await isBanned(scene, vera)], [true, false])
  assert.equal(await listOwnDecisions(db, vera.id), [])
  assert.equal(await aliasesInQueue(scene), ['Vera', 'Ada'])
  assert.equal(await refusal(act(scene, 'ban', eva.id)), OTHER_MEMBER)
})

members('an approved text that is reported is a case of all the dog’s people again', async (scene) => {
  const { db, ada, eva } = scene
  await becomeOwner(scene)
  await holdDog(db, ada, scene.dogId)
  await act(scene, 'restore')
  const hold = (await listOwnDecisions(db, ada.id)).find(({ action }) => action === 'hold')!
  await submitAppeal(db, ada, hold.id, 'No lo vendo.', scene.admin.adminEmail)
  assert.equal(await aliasesInQueue(scene), ['Ada'], 'an appeal is about what was held')
  await report(db, eva, 'dog', scene.dogId)
  assert.equal(await aliasesInQueue(scene), ['Vera', 'Ada'])
})

members('an action against a member names one', () => {
  const errorOf = (deed: string, fields: object = {}) =>
    decisionInput
      .safeParse({ deed, reason: 'Insultos.', version: 0, ...fields })
      .error?.issues.map(({ message }) => message)
  for (const deed of ['warn', 'ban', 'unban']) {
    assert.equal(errorOf(deed), ['Elige a quién.'])
    assert.is(errorOf(deed, { member: 'x' }), undefined)
  }
  for (const deed of ['hide', 'restore', 'delete', 'dismiss', 'note']) assert.is(errorOf(deed), undefined)
})
