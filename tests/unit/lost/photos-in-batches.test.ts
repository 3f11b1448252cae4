import { sqliteOf } from '#db/client.ts'
import { deleteAccount } from '#features/account/erase.server.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { askDueQuestions } from '#features/lost/questions.server.ts'
import { deleteExpiredLostRows } from '#features/lost/retention.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { openFailingDb } from '#tests/support/faults/failing-statement.ts'
import { longestDeletion } from '#tests/support/longest-deletion.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { insert, readAllRows } from '#tests/support/rows.ts'
import { type CurrentUser, dog, type Dog, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, countJobs, type Db, refusal, suite } from '#tests/support/suites.ts'

interface World {
  db: Db
  ana: CurrentUser
  luis: CurrentUser
  toby: Dog
}
const PHOTOS = 35
const SEARCH = { zone: 'Getafe', lat: null, lon: null, help: '', chip: null }
/** What a photo, a place and words of a sighting hold, to be looked for afterwards. */
const CANARY = 'CanarioDeUnaFoto'

const photos = suite<World>('unit/lost/photos-in-batches')
photos.before.each(async (t) => {
  t.db = sqliteDb()
  ;[t.ana, t.toby, t.luis] = await seed(t.db, member({ alias: 'Ana' }), dog({ name: 'Toby' }), member())
  const case_id = await addLostCase(t.db, { dog_id: t.toby.id, owner_id: t.ana.id })
  const nothing = { network: null, request_key: null, lat: null, lon: null, warning: null }
  const words = { zone: 'Getafe', words: CANARY, state: 'delivered', at: 1, created_at: 1 } as const
  for (let n = 0; n < PHOTOS; n++) {
    await insert(t.db, 'sightings_all', { id: `s${n}`, case_id, member_id: t.luis.id, ...nothing, ...words })
    const data = CANARY.repeat(500)
    await insert(t.db, 'sighting_photos', { sighting_id: `s${n}`, data, width: 8, height: 6 })
  }
})
photos.after.each(({ db }) => db.destroy())

const countPhotos = async (db: Db) => (await db.selectFrom('sighting_photos').select('sighting_id').execute()).length
/** Whether any row of any table has it. */
const isLeft = async (db: Db) => JSON.stringify(await readAllRows(db)).includes(CANARY)

const WAYS: Record<string, (t: World) => Promise<unknown>> = {
  'ending it': ({ db, ana, toby }) => endLostCase(db, ana, toby.id, 'home', { thanks: true }),
  'an end without answer': async ({ db }) => {
    await db.updateTable('lost_cases').set({ asked_at: 1, questions: 9, due_at: 1 }).execute()
    await askDueQuestions(db, null, DAY_MS)
  },
  'a dog that was given away': async ({ db, luis }) => {
    await db.updateTable('lost_cases').set({ due_at: 1 }).execute()
    await db.updateTable('dogs_all').set({ owner_id: luis.id }).execute()
    await askDueQuestions(db, null, DAY_MS)
  },
  'a search by the next owner': async ({ db, luis, toby }) => {
    await db.updateTable('dogs_all').set({ owner_id: luis.id }).execute()
    await saveLostCase(db, luis, toby.id, { ...SEARCH, since: Date.now() })
  },
  'deleting the dog': ({ db, ana, toby }) => deleteDog(db, '/nowhere', ana, toby.id),
  'a dog that is gone': async ({ db }) => {
    await db.deleteFrom('dogs_all').execute()
    await deleteExpiredLostRows(db, Date.now())
  },
  'deleting the account of the owner': ({ db, ana }) =>
    deleteAccount(db, '/nowhere', withRecentSignIn(ana), { dogs: 'keep', alias: 'Ana' }),
  'deleting the account of who sent them': ({ db, luis }) =>
    deleteAccount(db, '/nowhere', withRecentSignIn(luis), { dogs: 'keep', alias: luis.alias }),
}

for (const [way, act] of Object.entries(WAYS))
  photos(`${way} takes ten photos at a time, and leaves nothing of them`, async (t) => {
    assert.ok((await longestDeletion(t.db, 'sighting_photos', act(t))) <= 10)
    assert.not.ok(await isLeft(t.db))
  })

photos('an end that is interrupted anywhere leaves the search open, and the next one leaves nothing', async (t) => {
  const bytes = sqliteOf(t.db).serialize()
  const end = ({ db }: { db: Db }) => endLostCase(db, t.ana, t.toby.id, 'home', { thanks: true })
  const whole = openFailingDb(bytes)
  whole.arm(0)
  await end(whole)
  const statements = whole.count()
  assert.ok(statements > 4 + 2, `${statements}`)
  for (let n = 1; n <= statements; n++) {
    const failing = openFailingDb(bytes)
    failing.arm(n)
    const failed = await end(failing).then(
      () => false,
      () => true,
    )
    // As the next start finds it.
    const db = sqliteDb(sqliteOf(failing.db).serialize())
    const open = await db.selectFrom('lost_cases').select('id').execute()
    const sightings = await db.selectFrom('sightings_all').select('id').execute()
    if (open.length > 0) {
      assert.ok(failed)
      assert.is(sightings.length, PHOTOS, `who helped is known, after ${n} statements`)
      await end({ db })
    }
    assert.not.ok(await isLeft(db), `${n}`)
    const helpers = await db.selectFrom('notifications').select('id').where('user_id', '=', t.luis.id).execute()
    const queued = await countJobs(db, 'homecomings')
    assert.is(helpers.length + queued, 1, `Luis is told once, after ${n} statements`)
    await Promise.all([failing.db.destroy(), db.destroy()])
  }
  await whole.db.destroy()
})

photos('who may not end the search takes no photo from it', async ({ db, luis, toby }) => {
  assert.is((await refusal(endLostCase(db, luis, toby.id, 'home')))[0], 403)
  assert.is((await refusal(endLostCase(db, null, toby.id, 'home')))[0], 401)
  const search = { ...SEARCH, since: Date.now() }
  assert.is((await refusal(saveLostCase(db, luis, toby.id, search)))[0], 403)
  await db.updateTable('dogs_all').set({ owner_id: luis.id }).execute()
  for (const wrong of [
    { ...search, since: 0 },
    { ...search, zone: '' },
    { ...search, zone: 'Xyzzyplugh' },
  ])
    assert.is((await refusal(saveLostCase(db, luis, toby.id, wrong)))[0], 422)
  assert.is(await countPhotos(db), PHOTOS)
})
