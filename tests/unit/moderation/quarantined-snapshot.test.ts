import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { addComment, deleteComment, listComments } from '#features/comments/comments.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { hideQuarantinedPhotos, quarantineDog } from '#features/dogs/quarantine.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { deleteDog, requireEditableDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { like, listLikers, unlike } from '#features/likes/likes.server.ts'
import { findOwnQuarantinedDog, listOwnQuarantinedDogs } from '#features/reports/quarantine/quarantined-dogs.server.ts'
import { readQuarantinedPhoto } from '#features/reports/quarantine/quarantined-photos.server.ts'
import { autoHideTarget, submitReport } from '#features/reports/reports.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const ADMIN = 'admin@ejemplo.es'
const SNAPSHOT_BYTES = 5_000_000

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-snapshot-'))

interface World {
  db: Db
  ana: { id: string }
  stranger: { id: string }
  /** Ana's, quarantined, with a snapshot of `SNAPSHOT_BYTES`. */
  toby: { id: string; photo: string; breed: string; slug: string }
  /** The same of nobody's, which a token claims. */
  found: { id: string }
}

const photoOf = (dogId: string) => `/photos/${dogId}_1700000000000_abcdefgh.jpg`

async function quarantineLarge(db: Db, id: string, authorId: string) {
  const url = photoOf(id)
  await db.updateTable('dogs').set({ photo_url: url }).where('id', '=', id).execute()
  await db.updateTable('dog_images').set({ url }).where('dog_id', '=', id).execute()
  const { path_breed, path_slug } = await db
    .selectFrom('dogs')
    .select(['path_breed', 'path_slug'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db.transaction().execute((trx) => quarantineDog(trx, id, 'admin'))
  const { snapshot } = await db
    .selectFrom('held')
    .select('snapshot')
    .where('thing_id', '=', id)
    .executeTakeFirstOrThrow()
  const content = 'x'.repeat(SNAPSHOT_BYTES)
  const comments = [{ id: randomUUID(), dog_id: id, user_id: authorId, content, created_at: 1 }]
  await db
    .updateTable('held')
    .set({ snapshot: JSON.stringify({ ...JSON.parse(snapshot), comments }) })
    .where('thing_id', '=', id)
    .execute()
  return { id, photo: photoName(url)!, breed: path_breed, slug: path_slug }
}

async function createWorld(): Promise<World> {
  const db = sqliteDb()
  const [ana, pet, stranger, anonymous] = await seed(
    db,
    member(),
    dog({ name: 'Toby', photos: 1 }),
    member(),
    dog({ user_id: null, owner_id: null, discoverer_id: null, photos: 1 }),
  )
  const toby = await quarantineLarge(db, pet.id, stranger.id)
  const found = await quarantineLarge(db, anonymous.id, stranger.id)
  mkdirSync(join(dataDir, 'photos', 'held'), { recursive: true })
  writeFileSync(join(dataDir, 'photos', 'held', toby.photo), 'jpeg')
  return { db, ana, stranger, toby, found }
}

type Action = (world: World) => Promise<unknown>

const STRANGER_ACTIONS: Record<string, Action> = {
  'open the page': ({ db, stranger, toby }) => findOwnQuarantinedDog(db, stranger.id, toby.breed, toby.slug),
  'ask for a photo': ({ db, stranger, toby }) =>
    readQuarantinedPhoto(db, dataDir, { user: stranger as never, adminEmail: ADMIN }, toby.photo),
  'ask for a photo that never existed': ({ db, stranger, toby }) =>
    readQuarantinedPhoto(
      db,
      dataDir,
      { user: stranger as never, adminEmail: ADMIN },
      toby.photo.replace('_abc', '_xyz'),
    ),
  'open the edit form': ({ db, stranger, toby }) => requireEditableDog(db, stranger, toby.id),
  edit: ({ db, stranger, toby }) => updateDog(db, stranger, toby.id, { name: 'Lobo' }),
  'edit with a flagged text': ({ db, stranger, toby }) =>
    updateDog(db, stranger, toby.id, { description: 'Se vende, 300 €' }),
  'change the photos': ({ db, stranger, toby }) => replaceGallery(db, dataDir, stranger, toby.id, [photoOf(toby.id)]),
  delete: ({ db, stranger, toby }) => deleteDog(db, dataDir, stranger, toby.id),
  claim: ({ db, stranger, toby }) =>
    claimDog(db, stranger.id, toby.id, { ownershipType: 'owner', token: randomUUID() }),
  'claim nobody’s': ({ db, stranger, found }) =>
    claimDog(db, stranger.id, found.id, { ownershipType: 'owner', token: randomUUID() }),
  like: ({ db, stranger, toby }) => like(db, stranger, toby.id),
  unlike: ({ db, stranger, toby }) => unlike(db, stranger, toby.id),
  'list the likes': ({ db, stranger, toby }) => listLikers(db, toby.id, { user: stranger }),
  comment: ({ db, stranger, toby }) => addComment(db, stranger, toby.id, 'Hola'),
  'list the comments': ({ db, stranger, toby }) => listComments(db, toby.id, { user: stranger }),
  'delete a comment': ({ db, stranger }) => deleteComment(db, stranger, randomUUID()),
  report: ({ db, stranger, toby }) =>
    submitReport(db, stranger, { kind: 'dog', id: toby.id, reason: 'spam', words: '' }, 'x'),
  'hide by reports': ({ db, toby }) => autoHideTarget(db, dataDir, { kind: 'dog', id: toby.id }, ADMIN),
  'say that it is theirs': ({ db, stranger, toby }) => requestOwnership(db, stranger, toby.id),
  'answer who says so': ({ db, ana, stranger, toby }) => answerOwnershipRequest(db, stranger, toby.id, ana.id, true),
}

const OWNER_ACTIONS: Record<string, Action> = {
  'ask for a photo': ({ db, ana, toby }) =>
    readQuarantinedPhoto(db, dataDir, { user: ana as never, adminEmail: ADMIN }, toby.photo),
  'open the edit form': ({ db, ana, toby }) => requireEditableDog(db, ana, toby.id),
  edit: ({ db, ana, toby }) => updateDog(db, ana, toby.id, { name: 'Lobo' }),
  delete: ({ db, ana, toby }) => deleteDog(db, dataDir, ana, toby.id),
  'start the server': ({ db }) => hideQuarantinedPhotos(db, dataDir),
}

/** The statements of `action` that return or search the snapshot. Each is prepared once in a new database. */
async function listSnapshotReads(action: Action): Promise<string[]> {
  const world = await createWorld()
  const bytes = sqliteOf(world.db).serialize()
  await world.db.destroy()
  const db = sqliteDb(bytes)
  const sqlite = sqliteOf(db)
  const prepare = sqlite.prepare.bind(sqlite)
  const statements: string[] = []
  sqlite.prepare = ((text: string) => {
    statements.push(text)
    return prepare(text)
  }) as typeof sqlite.prepare
  await action({ ...world, db }).catch(() => {})
  await db.destroy()
  assert.ok(statements.length > 0, 'sends no statement')
  return statements.filter((text) => /^\s*select/i.test(text) && /\bheld\b/.test(text) && /snapshot|\*/.test(text))
}

const snapshot = suite('unit/moderation/quarantined-snapshot')
snapshot.after(() => rmSync(dataDir, { recursive: true }))

for (const [name, action] of Object.entries(STRANGER_ACTIONS))
  snapshot(`a stranger’s action does not read the snapshot: ${name}`, async () =>
    assert.equal(await listSnapshotReads(action), []),
  )

for (const [name, action] of Object.entries(OWNER_ACTIONS))
  snapshot(`an owner’s action does not read the snapshot: ${name}`, async () =>
    assert.equal(await listSnapshotReads(action), []),
  )

snapshot('the views of the owner’s own dog read the snapshot', async () => {
  assert.is((await listSnapshotReads(({ db, ana }) => listOwnQuarantinedDogs(db, ana.id))).length, 1)
  const open: Action = ({ db, ana, toby }) => findOwnQuarantinedDog(db, ana.id, toby.breed, toby.slug)
  assert.is((await listSnapshotReads(open)).length, 1)
})

snapshot('the photo’s owner gets its bytes', async () => {
  const { db, ana, stranger, toby } = await createWorld()
  const read = (user: object) =>
    readQuarantinedPhoto(db, dataDir, { user: user as never, adminEmail: ADMIN }, toby.photo)
  assert.is(String(await read(ana)), 'jpeg')
  assert.is(await read(stranger).catch(({ status }: { status: number }) => status), 404)
  await db.destroy()
})

snapshot.run()
