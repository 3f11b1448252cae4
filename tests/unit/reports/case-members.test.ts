import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { submitAppeal, listOwnDecisions } from '#features/reports/decisions/appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { listCases } from '#features/reports/cases/case-queue.server.ts'
import { type CaseAction, decisionInput } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { assert, type CurrentUser, dataSuite, dog, member, pluck, seed, type WorldOf } from '#tests/support/suites.ts'
import { refusal } from '#tests/support/refusal.ts'
import { rowOf } from '#tests/support/rows.ts'

// Whom the queue names is whom a warning or a ban is against: who wrote it, not whose dog it is.

const ADMIN = 'admin@ejemplo.es'
const SLUR = 'Vendo este perro por 300 euros'
const OTHER_MEMBER = [409, 'Ya no es de esa persona. Mira otra vez de quién es antes de decidir.']

const members = dataSuite(
  'unit/reports/case-members',
  { user: member({ email: ADMIN, alias: 'Admin' }), ada: member({ alias: 'Ada' }), vera: member({ alias: 'Vera' }) },
  async ({ db, dir, user, ada }) => {
    const admin: { user: CurrentUser; adminEmail: string } = { user, adminEmail: ADMIN }
    const input = dogSchema.parse({ name: 'Rex', breed: 'beagle', relationship: 'discoverer' })
    const added = await addDog(db, dir, { input, uploads: [await photo(0)], userId: ada.id })
    const dogId = added.dog.id
    return { admin, dogId }
  },
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
  (await db.selectFrom('cases').select('id').where('user_id', '=', id).where('open', '=', 1).execute()).length

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
    const decided = async ({ id }: CurrentUser) => (await listOwnDecisions(scene.db, id)).map(({ action }) => action)
    assert.equal((await decided(ada)).toSorted(), ['ban', 'warn'])
    assert.equal(await decided(vera), [])
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
  const { db, ada, vera, dogId } = scene
  const [eva] = await seed(db, member({ alias: 'Eva' }))
  await submitReport(db, eva, { kind: 'dog', id: dogId, reason: 'insultos', words: '' }, 'x')
  assert.equal(await aliasesInQueue(scene), ['Ada'])
  await becomeOwner(scene)
  await act(scene, 'warn', ada.id)
  await act(scene, 'ban', ada.id)
  assert.equal([await isBanned(scene, ada), await isBanned(scene, vera)], [true, false])
  assert.equal(pluck(await listOwnDecisions(db, vera.id), 'action'), [])
  assert.equal(await aliasesInQueue(scene), ['Vera', 'Ada'])
  assert.equal(await refusal(act(scene, 'ban', eva.id)), OTHER_MEMBER)
})

members('an approved text that is reported is a case of all the dog’s people again', async (scene) => {
  const { db, ada } = scene
  await becomeOwner(scene)
  await holdDog(db, ada, scene.dogId)
  await act(scene, 'restore')
  const hold = (await listOwnDecisions(db, ada.id)).find(({ action }) => action === 'hold')!
  await submitAppeal(db, ada, hold.id, 'No lo vendo.', ADMIN)
  assert.equal(await aliasesInQueue(scene), ['Ada'], 'an appeal is about what was held')
  const [eva] = await seed(db, member({ alias: 'Eva' }))
  await submitReport(db, eva, { kind: 'dog', id: scene.dogId, reason: 'insultos', words: '' }, 'x')
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

members.run()
