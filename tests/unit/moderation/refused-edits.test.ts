import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { addDog } from '#features/dogs/write/add.server.ts'
import { type DogPatch, dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { type GalleryOptions, type GalleryPart, replaceGallery } from '#features/dogs/write/gallery.server.ts'
import type { UploadSender } from '#features/dogs/write/uploads.server.ts'
import { spendStorage } from '#features/photos/storage-budget.server.ts'
import { AppError } from '#lib/errors.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { readStoredState } from '#tests/support/faults/stored-state.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { copyPopularDog, fillReviews, FLAGGED, type PopularDog } from '#tests/support/reports/popular-dog.ts'
import { type Action, type Refusal, testRefusals } from '#tests/support/reports/refusals.ts'
import { assert, countRows, suite } from '#tests/support/suites.ts'

const edit =
  (who: 'ana' | 'luis' | 'eva' | 'banned' | 'nobody', patch: DogPatch): Action =>
  ({ db, toby, ...people }) =>
    updateDog(db, who === 'nobody' ? null : people[who], toby.id, patch)

const gallery =
  (
    parts: (world: PopularDog) => (GalleryPart | Promise<GalleryPart>)[],
    options: GalleryOptions | ((world: PopularDog) => GalleryOptions) = {},
    who: 'ana' | 'eva' | 'banned' | 'nobody' = 'ana',
  ): Action =>
  async (world) => {
    const { db, dir, toby } = world
    const sent = await Promise.all(parts(world))
    const given = typeof options === 'function' ? options(world) : options
    return replaceGallery(db, dir, who === 'nobody' ? null : world[who], toby.id, sent, given)
  }

const hold: Action = ({ db, ana, toby }) => holdDog(db, ana, toby.id)
const own = ({ toby }: PopularDog) => toby.images.map(({ url }) => url)
const ALTS = { alts: [FLAGGED, null] }

/** As many of Ana's texts wait for the admin as may. */
const atLimit: Action = (world) => fillReviews(world, world.ana)

/** Whose photos count towards what the site stores in a day. */
const countedSender = ({ db }: Pick<PopularDog, 'db'>, siteUploadBytesPerDay = 1e9): UploadSender => ({
  id: 'x',
  spend: (bytes) => spendStorage(db, { siteUploadBytesPerDay, minFreeBytes: 0 }, { bytes, isVisitor: false }),
})

const refuse = (status: number) => () => Promise.reject(new AppError(status, 'Hoy no.'))

const EDITS: Record<string, Refusal> = {
  'by a visitor': [401, edit('nobody', { description: FLAGGED })],
  'by a stranger': [403, edit('eva', { description: FLAGGED })],
  'by a banned stranger': [403, edit('banned', { description: FLAGGED })],
  'by its banned owner': [
    403,
    edit('ana', { description: FLAGGED }),
    ({ db, ana }) =>
      db.insertInto('bans').values({ user_id: ana.id, until: null, reason: 'x', created_at: 1 }).execute(),
  ],
  'of a dog that does not exist': [404, ({ db, ana }) => updateDog(db, ana, randomUUID(), { name: FLAGGED })],
  'of a dog in quarantine': [409, edit('ana', { description: FLAGGED }), hold],
  'that takes the owner’s role': [422, edit('luis', { relationship: 'owner' })],
  'that takes the owner’s role, with a flagged text': [422, edit('luis', { relationship: 'owner', name: FLAGGED })],
  'that takes the discoverer’s role, with a flagged text': [
    422,
    edit('ana', { relationship: 'discoverer', zone: FLAGGED }),
  ],
  'with an impossible age and a flagged text': [422, edit('ana', { age: 60, description: FLAGGED })],
  'with a flagged text, at the review limit': [429, edit('ana', { description: FLAGGED }), atLimit],
  'with a new name, breed and flagged text, at the review limit': [
    429,
    edit('ana', { name: 'Otro', breed: 'Bóxer', description: FLAGGED }),
    atLimit,
  ],
  'by the discoverer, at their own review limit': [
    429,
    edit('luis', { description: FLAGGED }),
    (world) => fillReviews(world, world.luis),
  ],
}

const GALLERIES: Record<string, Refusal> = {
  'by a visitor': [401, gallery(own, ALTS, 'nobody')],
  'by a stranger': [403, gallery(own, ALTS, 'eva')],
  'by a banned stranger': [403, gallery(own, ALTS, 'banned')],
  'of a dog in quarantine': [409, gallery(own, ALTS), hold],
  'without photos': [422, gallery(() => [], ALTS)],
  'with too many photos': [422, gallery(() => Array.from({ length: 11 }, () => textFile), ALTS)],
  'with another dog’s photo': [422, gallery(({ lia }) => [lia.photo_url], ALTS)],
  'with a photo twice': [422, gallery((world) => [own(world)[0]!, own(world)[0]!], ALTS)],
  'with an unreadable photo alone': [422, gallery(() => [textFile])],
  'with an unreadable photo alone, its description flagged': [422, gallery(() => [textFile], ALTS)],
  'with a flagged description, at the review limit': [429, gallery(own, ALTS), atLimit],
  'with a new photo and a flagged description, at the review limit': [
    429,
    gallery(
      (world) => [...own(world), photo(90)],
      (world) => ({ alts: [FLAGGED], sender: countedSender(world) }),
    ),
    atLimit,
  ],
  'over the quota': [
    429,
    gallery((world) => [...own(world), photo(90)], { ...ALTS, sender: { id: 'x', admit: refuse(429) } }),
  ],
  'over the site’s storage': [
    503,
    gallery((world) => [photo(90), ...own(world), photo(91)], { ...ALTS, sender: { id: 'x', spend: refuse(503) } }),
  ],
  'over the site’s storage, as it is counted': [
    503,
    gallery(
      (world) => [photo(90), ...own(world)],
      (world) => ({
        ...ALTS,
        sender: countedSender(world, 1),
      }),
    ),
  ],
  'on a full disk': [
    507,
    gallery((world) => [...own(world), photo(90)], { ...ALTS, sender: { id: 'x', admit: refuse(507) } }),
  ],
}

const addDogAs =
  (who: 'ana' | 'banned', description: string): Action =>
  async ({ db, dir, [who]: { id } }) => {
    const input = dogSchema.parse({ name: 'Rex', breed: 'Beagle', description })
    return addDog(db, dir, { input, uploads: [await photo(90)], userId: id, sender: countedSender({ db }) })
  }

const ADDS: Record<string, Refusal> = {
  'with a flagged text, at the review limit': [429, addDogAs('ana', FLAGGED), atLimit],
  'of a banned member': [403, addDogAs('banned', 'Le gusta el agua.')],
}

const refused = suite('unit/moderation/refused-edits')
testRefusals(refused, 'an edit', EDITS)
testRefusals(refused, 'a gallery', GALLERIES)
testRefusals(refused, 'a new dog', ADDS)

refused('an unreadable photo with a flagged description is skipped, and nothing is reviewed', async () => {
  const world = await copyPopularDog()
  const { db, dir, toby } = world
  const countShown = () => Promise.all(['comments', 'dog_likes', 'notifications'].map((table) => countRows(db, table)))
  const before = await countShown()
  const { dog, skipped } = (await gallery((w) => [...own(w), textFile], { alts: [undefined, undefined, FLAGGED] })(
    world,
  )) as Awaited<ReturnType<typeof replaceGallery>>
  assert.equal([skipped.length, dog.in_review, dog.id], [1, undefined, toby.id])
  assert.equal(await countShown(), before)
  assert.equal(await listHiddenItems(db), [])
  await db.destroy()
  rmSync(dir, { recursive: true })
})

refused('the dog that is tried has rows that go out of sight with it', async () => {
  const world = await copyPopularDog()
  const before = await readStoredState(world.db, world.dir)
  for (const table of ['comments', 'dog_likes', 'notifications', 'events', 'push_queue', 'ownership_requests'])
    assert.ok(before[table]!.length >= 5, table)
  await holdDog(world.db, world.ana, world.toby.id)
  const after = await readStoredState(world.db, world.dir)
  for (const table of ['dogs', 'comments', 'dog_likes', 'events']) assert.not.equal(after[table], before[table], table)
  await world.db.destroy()
  rmSync(world.dir, { recursive: true })
})
