import { addComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogPatchSchema, dogSchema, type DogPatch } from '#features/dogs/write/dog-input.ts'
import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { autoHideTarget, REPORTS_TO_HIDE, submitReport } from '#features/reports/reports.server.ts'
import { TARGET_KINDS, type TargetKind } from '#features/reports/target-kinds.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { clockTick } from '#tests/support/clock-tick.ts'
import { freshDb } from '#tests/support/db.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { addReasonedOpinion } from '#tests/support/reports/reasoned-opinion.ts'
import { type CurrentUser, type Dog, member, seed } from '#tests/support/seed.ts'
import { assert, type Db, folderSuite, refusal, rowOf } from '#tests/support/suites.ts'

// The admin lets a reported thing stand, and its author changes it: what was approved is not what stands there now.

const ADMIN = 'admin@ejemplo.es'

interface Scene {
  db: Db
  dir: string
  ana: CurrentUser
  admin: CurrentUser
  toby: Dog
  comment: string
  opinion: string
  reporters: readonly string[]
}

async function createScene(dir: string): Promise<Scene> {
  const db = freshDb()
  const [ana, admin] = await seed(db, member({ alias: 'Ana' }), member({ email: ADMIN }))
  const fields = { name: 'Toby', breed: 'Beagle', age: '3', age_unit: 'años', weight: '12', size: 'mediano' }
  const input = dogSchema.parse({ ...fields, zone: 'Lugo', description: 'Le gusta el agua.' })
  const photos = { uploads: [await photo(30), await photo(200)], alts: ['En el río', null] }
  const { dog: toby } = await addDog(db, dir, { input, ...photos, userId: ana.id })
  const comment = await addComment(db, ana, toby.id, 'Hola')
  const opinion = await addReasonedOpinion(db, ana, toby.id)
  const reporters = (await seed(db, ...Array.from({ length: REPORTS_TO_HIDE }, () => member()))).map(({ id }) => id)
  await makeEstablishedMembers(db, reporters, toby.id)
  return { db, dir, ana, admin, toby, comment: comment.id, opinion, reporters }
}
const idOf = ({ ana, toby, comment, opinion }: Scene, kind: TargetKind): string =>
  ({ dog: toby.id, photo: toby.images[0]!.url, comment, opinion, profile: ana.id })[kind]

/** Every reporter, from a network of their own. @returns whether it was hidden */
async function reportByAll(scene: Scene, kind: TargetKind): Promise<boolean> {
  const { db, reporters } = scene
  const id = idOf(scene, kind)
  for (const [n, userId] of reporters.entries())
    await submitReport(db, { id: userId }, { kind, id, reason: 'spam', words: '' }, `10.0.${n}.1`)
  return autoHideTarget(db, { kind, id }, ADMIN)
}

const caseOf = (scene: Scene, kind: TargetKind) => rowOf(scene.db, 'cases', { kind, thing_id: idOf(scene, kind) })

/** The admin's decision on the version that is there, or on one seen before. */
const act = async (scene: Scene, kind: TargetKind, deed: 'dismiss' | 'restore' | 'hide', seen?: number) => {
  const { db, dir, admin } = scene
  const asker = { user: admin, adminEmail: ADMIN }
  const { id, edited_at: version } = await caseOf(scene, kind)
  await applyCaseAction(db, dir, asker, id, { deed, reason: '', days: null, version: seen ?? version })
}
/** The version that the admin sees now. */
const versionOf = async (scene: Scene, kind: TargetKind) => (await caseOf(scene, kind)).edited_at
const CHANGED = [409, 'Ha cambiado desde que lo viste. Míralo otra vez antes de decidir.']

const reportByOne = (scene: Scene, kind: TargetKind) =>
  submitReport(scene.db, { id: scene.reporters[0]! }, { kind, id: idOf(scene, kind), reason: 'spam', words: '' }, 'x')

/** One report, which the admin dismisses. */
async function letStand(scene: Scene, kind: TargetKind): Promise<void> {
  await reportByOne(scene, kind)
  await act(scene, kind, 'dismiss')
  await clockTick()
}

const patch = (fields: DogPatch) => (scene: Scene) => updateDog(scene.db, scene.ana, scene.toby.id, fields)
const gallery =
  (parts: (urls: string[]) => (string | Promise<Uint8Array>)[], alts?: (string | null)[]) => async (scene: Scene) => {
    const { db, dir, ana, toby } = scene
    const sent = await Promise.all(parts(toby.images.map(({ url }) => url)))
    return replaceGallery(db, dir, ana, toby.id, sent, alts ? { alts } : {})
  }
const profile = (alias: string, emoji: string) => (scene: Scene) => updateProfile(scene.db, scene.ana, { alias, emoji })

/** The fields of a dog, each with another valid value. A frame is an ornament of ours: nobody reports it. */
const DOG_EDITS: Record<Exclude<keyof DogPatch, 'frame'>, DogPatch> = {
  name: { name: 'Otro' },
  breed: { breed: 'Bóxer' },
  age: { age: 4 },
  age_unit: { age_unit: 'meses' },
  weight: { weight: 13 },
  size: { size: 'grande' },
  zone: { zone: 'Getafe, Madrid' },
  is_adopted: { is_adopted: true },
  relationship: { relationship: 'discoverer' },
  ...(Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, { [name]: 'Llámame al 600 000 000' }])) as Record<
    FreeText,
    DogPatch
  >),
}

/** Every way in which the author changes what was reported. */
const EDITS: Record<TargetKind, Record<string, (scene: Scene) => Promise<unknown>>> = {
  dog: {
    ...Object.fromEntries(Object.entries(DOG_EDITS).map(([name, fields]) => [name, patch(fields)])),
    'a new photo': gallery((urls) => [...urls, photo(90)]),
    'a photo less': gallery(([first]) => [first!]),
    'another cover': gallery((urls) => urls.toReversed()),
    'a description of a photo': gallery((urls) => urls, ['En el mar', null]),
    'a first description of a photo': gallery((urls) => urls, ['En el río', 'Duerme']),
    'a description taken away': gallery((urls) => urls, [null, null]),
  },
  photo: { 'its description': gallery((urls) => urls, ['En el mar', null]) },
  // Nobody changes a comment, or an opinion: it is deleted and written anew.
  comment: {},
  opinion: {},
  profile: { alias: profile('Beatriz', '🐶'), emoji: profile('Ana', '🐺') },
}

/** What changes nothing of it. */
const NO_EDITS: Record<TargetKind, Record<string, (scene: Scene) => Promise<unknown>>> = {
  dog: { 'a save without changes': patch({ name: 'Toby' }), 'the same gallery': gallery((urls) => urls) },
  photo: {
    'another photo’s description': gallery((urls) => urls, ['En el río', 'Duerme']),
    'another cover': gallery((urls) => urls.toReversed()),
  },
  comment: { nothing: async () => {} },
  opinion: { nothing: async () => {} },
  profile: { 'a save without changes': profile('Ana', '🐶') },
}

const edits = folderSuite('unit/reports/approved-then-edited')

for (const kind of TARGET_KINDS) {
  for (const [name, edit] of Object.entries(EDITS[kind]))
    edits(`${kind}, ${name}: an approval of the earlier version is refused`, async ({ dir }) => {
      const scene = await createScene(dir)
      await reportByOne(scene, kind)
      const seen = await versionOf(scene, kind)
      await edit(scene)
      assert.equal(await refusal(act(scene, kind, 'dismiss', seen)), CHANGED)
      const { open, reports } = await caseOf(scene, kind)
      assert.equal([open, reports], [1, 1])
      assert.equal(await scene.db.selectFrom('decisions').select('id').execute(), [], 'nothing is logged')
      await act(scene, kind, 'dismiss')
      assert.is((await caseOf(scene, kind)).open, 0)
      await scene.db.destroy()
    })
  for (const [name, edit] of Object.entries(NO_EDITS[kind]))
    edits(`${kind}, ${name}: the version that the admin saw is approved`, async ({ dir }) => {
      const scene = await createScene(dir)
      await reportByOne(scene, kind)
      const seen = await versionOf(scene, kind)
      await edit(scene)
      await act(scene, kind, 'dismiss', seen)
      assert.is((await caseOf(scene, kind)).open, 0)
      await scene.db.destroy()
    })
  for (const [name, edit] of Object.entries(EDITS[kind]))
    edits(`${kind}, ${name}: reports hide it again`, async ({ dir }) => {
      const scene = await createScene(dir)
      await letStand(scene, kind)
      await edit(scene)
      assert.ok(await reportByAll(scene, kind))
      assert.equal((await caseOf(scene, kind)).open, 1)
      await scene.db.destroy()
    })
  for (const [name, edit] of Object.entries(NO_EDITS[kind]))
    edits(`${kind}, ${name}: an approved version stays visible`, async ({ dir }) => {
      const scene = await createScene(dir)
      await letStand(scene, kind)
      await edit(scene)
      assert.not(await reportByAll(scene, kind))
      assert.equal((await caseOf(scene, kind)).open, 1, 'the admin may look again')
      await scene.db.destroy()
    })
}

edits('hidden and restored content stays visible, until an edit', async ({ dir }) => {
  const scene = await createScene(dir)
  assert.ok(await reportByAll(scene, 'dog'))
  await act(scene, 'dog', 'restore')
  await clockTick()
  assert.not(await reportByAll(scene, 'dog'))
  await act(scene, 'dog', 'dismiss')
  await clockTick()
  await patch({ description: 'Otra cosa' })(scene)
  assert.ok(await reportByAll(scene, 'dog'))
  await scene.db.destroy()
})

edits(
  'content published, edited and hidden again is not published by an approval of an earlier version',
  async ({ dir }) => {
    const scene = await createScene(dir)
    const isPublic = async () => (await scene.db.selectFrom('dogs').select('id').execute()).length === 1
    await holdDog(scene.db, scene.ana, scene.toby.id)
    const seen = await versionOf(scene, 'dog')
    await act(scene, 'dog', 'restore', seen)
    assert.ok(await isPublic())
    await clockTick()
    await patch({ description: 'Otra cosa' })(scene)
    await holdDog(scene.db, scene.ana, scene.toby.id)
    assert.equal(await refusal(act(scene, 'dog', 'restore', seen)), CHANGED)
    assert.not(await isPublic())
    await act(scene, 'dog', 'restore')
    assert.ok(await isPublic())
    await scene.db.destroy()
  },
)

edits('an edit whose upload began before the admin looked ends the approval that it overtakes', async ({ dir }) => {
  const scene = await createScene(dir)
  const { db, ana, toby } = scene
  await reportByOne(scene, 'dog')
  const [started, uploaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const admit = () => (started.resolve(), uploaded.promise)
  const upload = replaceGallery(db, dir, ana, toby.id, [await photo(90)], { sender: { id: ana.id, admit } })
  await started.promise
  await clockTick()
  await act(scene, 'dog', 'dismiss')
  await clockTick()
  uploaded.resolve()
  await upload
  assert.ok(await reportByAll(scene, 'dog'), 'reports hide what nobody approved')
  await db.destroy()
})

edits('an edit in the same millisecond as the one that the admin has seen is another version', async ({ dir }) => {
  const scene = await createScene(dir)
  await reportByOne(scene, 'dog')
  await patch({ description: 'Otra cosa' })(scene)
  const seen = await versionOf(scene, 'dog')
  await updateDog(scene.db, scene.ana, scene.toby.id, { description: 'Y otra' }, seen)
  assert.equal(await refusal(act(scene, 'dog', 'dismiss', seen)), CHANGED)
  await scene.db.destroy()
})

edits('an edit after a decision ends it, although the clock was set back in between', async ({ dir }) => {
  const scene = await createScene(dir)
  await letStand(scene, 'dog')
  await updateDog(scene.db, scene.ana, scene.toby.id, { description: 'Otra cosa' }, Date.now() - 3_600_000)
  assert.ok(await reportByAll(scene, 'dog'))
  await scene.db.destroy()
})

edits('an author who edits all the time cannot prevent its hiding', async ({ dir }) => {
  const scene = await createScene(dir)
  await reportByOne(scene, 'dog')
  const seen = await versionOf(scene, 'dog')
  await patch({ description: 'Otra cosa' })(scene)
  await act(scene, 'dog', 'hide', seen)
  assert.equal(await scene.db.selectFrom('dogs').select('id').execute(), [])
  await scene.db.destroy()
})

edits('a second approval covers the edit', async ({ dir }) => {
  const scene = await createScene(dir)
  await letStand(scene, 'dog')
  await patch({ description: 'Otra cosa' })(scene)
  await clockTick()
  await letStand(scene, 'dog')
  assert.not(await reportByAll(scene, 'dog'))
  await scene.db.destroy()
})

edits('every field of the form is tested, and every kind', async ({ dir }) => {
  assert.equal([...Object.keys(DOG_EDITS), 'frame'].toSorted(), Object.keys(dogPatchSchema.shape).toSorted())
  const scene = await createScene(dir)
  const comments = (await scene.db.introspection.getTables()).find(({ name }) => name === 'comments')
  assert.equal(
    comments?.columns.map(({ name }) => name),
    ['id', 'dog_id', 'user_id', 'content', 'created_at', 'hidden'],
    'a comment that can be edited?',
  )
  await scene.db.destroy()
})

edits.run()
