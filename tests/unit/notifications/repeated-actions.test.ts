import { sqliteOf } from '#db/client.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { listNotifications, markRead } from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { type CurrentUser, dog, type Dog, member, seed } from '#tests/support/seed.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { assert, type Db, folderSuite, type FolderWorld } from '#tests/support/suites.ts'

// A repeated action costs the same the hundredth time as the tenth, counted in rows written.

type World = FolderWorld & { db: Db; ana: CurrentUser; luis: CurrentUser; toby: Dog }
const repeated = folderSuite<World>('unit/notifications/repeated-actions')
repeated.before.each(async (w) => {
  w.db = sqliteDb()
  ;[w.ana, w.luis] = await seed(w.db, member(), member())
  ;[w.toby] = await seed(w.db, dog({ owner_id: w.ana.id, discoverer_id: w.luis.id, photos: 3 }))
  await publishDogEvent(w.db, 'added', w.toby.id)
  await addComment(w.db, w.luis, w.toby.id, 'Qué guapo')
})
repeated.after.each(({ db }) => db.destroy())

/** Each comes back to where it began after some times at most. */
const REPEATED_ACTIONS: Record<string, (w: World, n: number) => Promise<unknown>> = {
  'an edit': ({ db, ana, toby }, n) => updateDog(db, ana, toby.id, { is_adopted: n % 2 === 0 }),
  'a new name': ({ db, ana, toby }, n) => updateDog(db, ana, toby.id, { name: ['Toby', 'Lía', 'Rex'][n % 3]! }),
  'a new breed': ({ db, ana, toby }, n) => updateDog(db, ana, toby.id, { breed: ['Beagle', 'Galgo'][n % 2]! }),
  'photos in another order': ({ db, dir, ana, toby }, n) => {
    const urls = toby.images.map(({ url }) => url)
    return replaceGallery(db, dir, ana, toby.id, n % 2 ? urls : urls.toReversed())
  },
  'a like and its end': async ({ db, luis, toby }) => {
    await like(db, luis, toby.id)
    await unlike(db, luis, toby.id)
  },
  'a comment and its end': async ({ db, luis, toby }) => {
    const { id } = await addComment(db, luis, toby.id, 'Hola')
    await deleteComment(db, luis, id)
  },
  'a like that is read': async ({ db, ana, luis, toby }) => {
    await like(db, luis, toby.id)
    const { notifications } = await listNotifications(db, ana.id)
    await markRead(db, ana, notifications.find(({ type }) => type === 'like')!.id)
    await unlike(db, luis, toby.id)
  },
  'a new alias': ({ db, luis }, n) => updateProfile(db, luis, { alias: ['Luis', 'Lucho'][n % 2]!, emoji: '🐱' }),
}

for (const [name, deed] of Object.entries(REPEATED_ACTIONS))
  repeated(`${name} writes as many rows the hundredth time as the tenth`, async (w) => {
    const written = sqliteOf(w.db).prepare('SELECT total_changes()').pluck()
    /** Of six times, so that what comes back to where it began has done so. */
    const rowsOfSix = async (from: number) => {
      const before = written.get() as number
      for (let n = from; n < from + 6; n++) await deed(w, n)
      return (written.get() as number) - before
    }
    for (let n = 0; n < 12; n++) await deed(w, n)
    const early = await rowsOfSix(12)
    for (let n = 18; n < 96; n++) await deed(w, n)
    assert.is(await rowsOfSix(96), early)
  })

repeated(
  'a dog that changed often is replayed with its last change and its addition, both in their present text',
  async (w) => {
    for (let n = 1; n <= 30; n++) await updateDog(w.db, w.ana, w.toby.id, { name: `Toby ${n}` })
    const rows = (await eventsAfter(w.db, 0, 1000)).filter(({ type }) => type === 'dog')
    assert.equal(
      rows.map(({ data }) => [JSON.parse(data).action, JSON.parse(data).name]),
      [
        ['added', 'Toby 30'],
        ['changed', 'Toby 30'],
      ],
    )
  },
)
