import { addComment } from '#features/comments/comments.server.ts'
import { dogPatchSchema, type DogPatch } from '#features/dogs/write/dog-input.ts'
import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { autoHideTarget, REPORTS_TO_HIDE } from '#features/reports/reports.server.ts'
import { TARGET_KINDS, type TargetKind } from '#features/reports/target-kinds.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { clockTick } from '#tests/support/clock-tick.ts'
import { addRealDog } from '#tests/support/dogs/dogs-fixture.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { ADMIN, admin, caseOf, decide, report } from '#tests/support/reports/cases.ts'
import { makeEstablishedMembers } from '#tests/support/reports/established-members.ts'
import { addReasonedOpinion } from '#tests/support/reports/reasoned-opinion.ts'
import { assert, countRows, dataSuite, member, pluck, refusal, seed, type WorldOf } from '#tests/support/suites.ts'

// The admin lets a reported thing stand, and its author changes it: what was approved is not what stands there now.

const edits = dataSuite(
  'unit/reports/approved-then-edited',
  { ana: member({ alias: 'Ana' }), admin: admin() },
  async (t) => {
    const { db, ana } = t
    const fields = { age: '3', age_unit: 'años', weight: '12', size: 'mediano', zone: 'Lugo' }
    const photos = { uploads: [await photo(30), await photo(200)], alts: ['En el río', null] }
    const { dog: toby } = await addRealDog(t, ana.id, { ...fields, description: 'Le gusta el agua.' }, photos)
    const comment = (await addComment(db, ana, toby.id, 'Hola')).id
    const opinion = await addReasonedOpinion(db, ana, toby.id)
    const reporters = await seed(db, ...Array.from({ length: REPORTS_TO_HIDE }, () => member()))
    await makeEstablishedMembers(db, pluck(reporters, 'id'), toby.id)
    return { toby, comment, opinion, reporters }
  },
)
type Scene = WorldOf<typeof edits>

const idOf = ({ ana, toby, comment, opinion }: Scene, kind: TargetKind): string =>
  ({ dog: toby.id, photo: toby.images[0]!.url, comment, opinion, profile: ana.id })[kind]

/** Every reporter, from a network of their own. @returns whether it was hidden */
async function reportByAll(scene: Scene, kind: TargetKind): Promise<boolean> {
  const { db, reporters } = scene
  const id = idOf(scene, kind)
  for (const [n, user] of reporters.entries()) await report(db, user, kind, id, `10.0.${n}.1`)
  return autoHideTarget(db, { kind, id }, ADMIN)
}

const readCase = (scene: Scene, kind: TargetKind) => caseOf(scene.db, idOf(scene, kind))

/** The admin's decision on the version that is there, or on one seen before. */
const act = async (scene: Scene, kind: TargetKind, deed: 'dismiss' | 'restore' | 'hide', seen?: number) =>
  decide(scene, idOf(scene, kind), deed, { version: seen ?? (await versionOf(scene, kind)) })
/** The version that the admin sees now. */
const versionOf = async (scene: Scene, kind: TargetKind) => (await readCase(scene, kind)).edited_at
const CHANGED = [409, 'Ha cambiado desde que lo viste. Míralo otra vez antes de decidir.']

const reportByOne = (scene: Scene, kind: TargetKind) => report(scene.db, scene.reporters[0]!, kind, idOf(scene, kind))

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

for (const kind of TARGET_KINDS) {
  for (const [name, edit] of Object.entries(EDITS[kind]))
    edits(`${kind}, ${name}: an approval of the earlier version is refused`, async (scene) => {
      await reportByOne(scene, kind)
      const seen = await versionOf(scene, kind)
      await edit(scene)
      assert.equal(await refusal(act(scene, kind, 'dismiss', seen)), CHANGED)
      const { open, reports } = await readCase(scene, kind)
      assert.equal([open, reports, await countRows(scene.db, 'decisions')], [1, 1, 0], 'nothing is logged')
      await act(scene, kind, 'dismiss')
      assert.is((await readCase(scene, kind)).open, 0)
    })
  for (const [name, edit] of Object.entries(NO_EDITS[kind]))
    edits(`${kind}, ${name}: the version that the admin saw is approved`, async (scene) => {
      await reportByOne(scene, kind)
      const seen = await versionOf(scene, kind)
      await edit(scene)
      await act(scene, kind, 'dismiss', seen)
      assert.is((await readCase(scene, kind)).open, 0)
    })
  for (const [name, edit] of Object.entries(EDITS[kind]))
    edits(`${kind}, ${name}: reports hide it again`, async (scene) => {
      await letStand(scene, kind)
      await edit(scene)
      assert.ok(await reportByAll(scene, kind))
      assert.equal((await readCase(scene, kind)).open, 1)
    })
  for (const [name, edit] of Object.entries(NO_EDITS[kind]))
    edits(`${kind}, ${name}: an approved version stays visible`, async (scene) => {
      await letStand(scene, kind)
      await edit(scene)
      assert.not(await reportByAll(scene, kind))
      assert.equal((await readCase(scene, kind)).open, 1, 'the admin may look again')
    })
}

edits('hidden and restored content stays visible, until an edit', async (scene) => {
  assert.ok(await reportByAll(scene, 'dog'))
  await act(scene, 'dog', 'restore')
  await clockTick()
  assert.not(await reportByAll(scene, 'dog'))
  await act(scene, 'dog', 'dismiss')
  await clockTick()
  await patch({ description: 'Otra cosa' })(scene)
  assert.ok(await reportByAll(scene, 'dog'))
})

edits(
  'content published, edited and hidden again is not published by an approval of an earlier version',
  async (scene) => {
    const isPublic = async () => (await countRows(scene.db, 'dogs')) === 1
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
  },
)

edits('an edit whose upload began before the admin looked ends the approval that it overtakes', async (scene) => {
  const { db, dir, ana, toby } = scene
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
})

edits('an edit in the same millisecond as the one that the admin has seen is another version', async (scene) => {
  await reportByOne(scene, 'dog')
  await patch({ description: 'Otra cosa' })(scene)
  const seen = await versionOf(scene, 'dog')
  await updateDog(scene.db, scene.ana, scene.toby.id, { description: 'Y otra' }, seen)
  assert.equal(await refusal(act(scene, 'dog', 'dismiss', seen)), CHANGED)
})

edits('an edit after a decision ends it, although the clock was set back in between', async (scene) => {
  await letStand(scene, 'dog')
  await updateDog(scene.db, scene.ana, scene.toby.id, { description: 'Otra cosa' }, Date.now() - 3_600_000)
  assert.ok(await reportByAll(scene, 'dog'))
})

edits('an author who edits all the time cannot prevent its hiding', async (scene) => {
  await reportByOne(scene, 'dog')
  const seen = await versionOf(scene, 'dog')
  await patch({ description: 'Otra cosa' })(scene)
  await act(scene, 'dog', 'hide', seen)
  assert.is(await countRows(scene.db, 'dogs'), 0)
})

edits('a second approval covers the edit', async (scene) => {
  await letStand(scene, 'dog')
  await patch({ description: 'Otra cosa' })(scene)
  await clockTick()
  await letStand(scene, 'dog')
  assert.not(await reportByAll(scene, 'dog'))
})

edits('every field of the form is tested, and every kind', async ({ db }) => {
  assert.equal([...Object.keys(DOG_EDITS), 'frame'].toSorted(), Object.keys(dogPatchSchema.shape).toSorted())
  const comments = (await db.introspection.getTables()).find(({ name }) => name === 'comments')!
  const columns = ['id', 'dog_id', 'user_id', 'content', 'created_at', 'hidden']
  assert.equal(pluck(comments.columns, 'name'), columns, 'a comment that can be edited?')
})
