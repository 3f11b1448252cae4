import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import type { TargetKind } from '#db/schema.ts'
import { checkPhotos } from '#features/maintenance/doctor/check-photos.server.ts'
import { repairPhotos } from '#features/maintenance/doctor/repair-photos.server.ts'
import { isPhotoReferenced, listReferencedPhotos } from '#features/maintenance/database-contents.server.ts'
import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { hideDog, submitDogForReview } from '#features/dogs/hidden-dogs.server.ts'
import { applyAllPhotoMoves, planRemoval } from '#features/photos/planned-moves.server.ts'
import { removePhotos } from '#features/photos/photos.server.ts'
import { findReviewTarget } from '#features/reports/report-target.server.ts'
import { admin, reportAndDecide } from '#tests/support/reports/cases.ts'
import { type DataDir, addDogWithPhotos, makeDataDir, photoFiles } from '#tests/support/maintenance/data-dir.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { assert, type Db, member, seed, suite, update } from '#tests/support/suites.ts'

/** A dog of Ana's with photos and a comment of hers, beside a stranger's dog. */
interface World {
  data: DataDir
  db: Db
  dir: string
  ana: { id: string }
  toby: { id: string; photos: string[] }
  comment: string
  /** The photo of a stranger's dog, and one that a stranger is just uploading: no row names it yet. */
  stranger: { photo: string; upload: string; files: string[] }
  act: (kind: TargetKind, id: string, deed: 'hide' | 'restore' | 'delete' | 'ban') => Promise<void>
}

async function createWorld(): Promise<World> {
  const data = await makeDataDir()
  const { db, dir } = data
  const [asker, reporter] = await seed(db, admin(), member())
  const toby = await addDogWithPhotos(data, 2)
  const lobo = await addDogWithPhotos(data)
  const ana = { id: toby.owner_id! }
  const comment = await addComment(db, ana, toby.id, 'Qué guapo')
  const strangers = lobo.images[0]!.url
  const upload = `/photos/${lobo.id}_1700000000001_zzzzzzzz.jpg`
  writeFileSync(join(dir, upload), await photo(3))
  return {
    data,
    db,
    dir,
    ana,
    toby: { id: toby.id, photos: toby.images.map(({ url }) => url) },
    comment: comment.id,
    stranger: { photo: strangers, upload, files: [...photoFiles(data, lobo), join(dir, upload)] },
    act: (kind, id, deed) => reportAndDecide({ db, dir, admin: asker, reporter }, kind, id, deed),
  }
}

/** Every column with members' texts, and the two with addresses of photos. */
const FIELDS = ({ ana, toby, comment }: World): [table: string, column: string, key: string, value: string][] => [
  ...['name', 'breed', 'zone', 'description', 'photo_url'].map(
    (column) => ['dogs_all', column, 'id', toby.id] as never,
  ),
  ['dog_images_all', 'alt', 'url', toby.photos[0]!],
  ['dog_images_all', 'url', 'url', toby.photos[1]!],
  ['comments_all', 'content', 'id', comment],
  ['profiles_all', 'alias', 'id', ana.id],
]

const hold = ({ db, toby }: World, cause: 'words' | 'anonymous') =>
  db.transaction().execute(async (trx) => {
    await hideDog(trx, toby.id, cause)
    await submitDogForReview(trx, toby.id, { cause, reason: 'Dudoso.', authorId: null })
  })

/** Every way by which something of Ana's goes. */
const CASE_ACTIONS_TRIED: Record<string, (world: World) => Promise<unknown>> = {
  'its owner deletes the dog': ({ db, dir, ana, toby }) => deleteDog(db, dir, ana, toby.id),
  'its owner deletes the dog whose comment waits': async ({ db, dir, ana, toby, comment, act }) => {
    await act('comment', comment, 'hide')
    await deleteDog(db, dir, ana, toby.id)
  },
  'the account goes with its dogs': ({ db, dir, ana }) => deleteMemberAccount(db, dir, ana, 'delete'),
  'the account goes, its dogs stay': ({ db, dir, ana }) => deleteMemberAccount(db, dir, ana, 'keep'),
  'the account of a dog that waits goes': async (world) => {
    await hold(world, 'words')
    await deleteMemberAccount(world.db, world.dir, world.ana, 'delete')
  },
  'the account of a hidden profile goes': async ({ db, dir, ana, act }) => {
    await act('profile', ana.id, 'hide')
    await deleteMemberAccount(db, dir, ana, 'delete')
  },
  'the admin deletes the dog': ({ toby, act }) => act('dog', toby.id, 'delete'),
  'the admin hides and deletes the dog': async ({ toby, act }) => {
    await act('dog', toby.id, 'hide')
    await act('dog', toby.id, 'delete')
  },
  'the admin hides, restores and deletes the dog': async ({ toby, act }) => {
    await act('dog', toby.id, 'hide')
    await act('dog', toby.id, 'restore')
    await act('dog', toby.id, 'delete')
  },
  'the admin deletes a dog added without account': async (world) => {
    await update(world.db, 'dogs_all', { id: world.toby.id }, { owner_id: null, user_id: null })
    await hold(world, 'anonymous')
    await world.act('dog', world.toby.id, 'delete')
  },
  'the admin hides and deletes a photo': async ({ toby, act }) => {
    await act('photo', toby.photos[0]!, 'hide')
    await act('photo', toby.photos[0]!, 'delete')
  },
  'the admin deletes a photo': ({ toby, act }) => act('photo', toby.photos[0]!, 'delete'),
  'the admin hides and deletes the comment': async ({ comment, act }) => {
    await act('comment', comment, 'hide')
    await act('comment', comment, 'delete')
  },
  'its author deletes the comment': ({ db, ana, comment }) => deleteComment(db, ana, comment),
  'its author takes back a comment that waits': async ({ db, ana, comment, act }) => {
    await act('comment', comment, 'hide')
    await deleteComment(db, ana, comment)
  },
  'the gallery is replaced': async ({ db, dir, ana, toby }) =>
    replaceGallery(db, dir, ana, toby.id, [new Uint8Array(await photo(9))]),
  'its author is banned and everything is hidden': async ({ ana, toby, comment, act }) => {
    await act('comment', comment, 'hide')
    await act('profile', ana.id, 'ban')
    await act('profile', ana.id, 'hide')
    await act('dog', toby.id, 'hide')
  },
}

const strangers = suite<World>('unit/moderation/unrelated-photos')
strangers.before.each(async (t) => void Object.assign(t, await createWorld()))
strangers.after.each(({ data }) => data.dispose())

for (const [way, go] of Object.entries(CASE_ACTIONS_TRIED))
  strangers(`photos of strangers stay when their addresses are written everywhere and ${way}`, async (world) => {
    const { db, dir, stranger, toby } = world
    for (const [table, column, key, value] of FIELDS(world)) {
      // The addresses among words; one alone where the field holds an address itself, which no other row may hold then.
      const text = /url/.test(column) ? stranger.upload : `Se vende ${stranger.photo} y ${stranger.upload}`
      const { changes } = sqliteOf(db).prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(text, value)
      assert.is(changes, 1, `${table}.${column}`)
    }
    toby.photos[1] = stranger.upload
    await go(world)
    await deleteAllExpired(db, dir)
    for (const file of stranger.files) assert.ok(existsSync(file), file)
  })

strangers('a photo named in a text is not one of its author’s, for the queue, the backup and doctor', async (world) => {
  const { data, db, dir, act, comment, toby, stranger } = world
  const words = `Mira ${stranger.upload}`
  await update(db, 'comments_all', { id: comment }, { content: words })
  await update(db, 'dogs_all', { id: toby.id }, { description: words, name: words })
  await act('comment', comment, 'hide')
  assert.equal((await findReviewTarget(db, 'comment', comment))!.photos, [])
  await act('photo', toby.photos[0]!, 'hide')
  await act('dog', toby.id, 'hide')
  assert.is((await findReviewTarget(db, 'dog', toby.id))!.photos.length, 1)
  const name = stranger.upload.slice('/photos/'.length)
  assert.not((await listReferencedPhotos(db)).has(name))
  assert.not(await isPhotoReferenced(db, name))
  const found = await checkPhotos(dir, db, { isServed: false })
  assert.equal([found.orphans, found.missing], [[name], []])
  await repairPhotos(dir, data.backupDir, db, found)
  assert.ok(existsSync(join(dir, 'lost', name)), 'set aside, as what no row names')
})

strangers(
  'photos of strangers stay when a request names them as photos of another dog',
  async ({ db, dir, toby, stranger }) => {
    const renders = join(dir, 'cache', stranger.photo, 'card@1x.avif')
    mkdirSync(dirname(renders), { recursive: true })
    writeFileSync(renders, 'render')
    const urls = [stranger.photo, stranger.upload, ...toby.photos]
    await removePhotos(dir, { dogId: toby.id, urls })
    await planRemoval(db, { dogId: toby.id, urls })
    await applyAllPhotoMoves(db, dir)
    for (const file of [...stranger.files, renders]) assert.ok(existsSync(file), file)
    for (const url of toby.photos) assert.not(existsSync(join(dir, url)))
  },
)
