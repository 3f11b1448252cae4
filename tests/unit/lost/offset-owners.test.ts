import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { randomOffset } from '#features/lost/place.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { HOUR_MS } from '#lib/time.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  ana: CurrentUser
  bea: CurrentUser
  toby: Dog
  luna: Dog
}

const HOME = { lat: 40.30571, lon: -3.73291 }
const mark = async ({ db }: World, user: CurrentUser, { id }: Dog) =>
  (await saveLostCase(db, user, id, { since: Date.now() - HOUR_MS, ...HOME, zone: null, help: '', chip: null })).case

const owners = suite<World>('unit/lost/offset-owners')
owners.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana, t.bea] = await seed(t.db, member(), member())
  ;[t.toby, t.luna] = await seed(t.db, dog({ owner_id: t.ana.id }), dog({ owner_id: t.ana.id }))
})

owners('who has a dog next does not get the offset of who had it before', async (t) => {
  const before = await mark(t, t.ana, t.toby)
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  await t.db.updateTable('dogs').set({ owner_id: t.bea.id }).where('id', '=', t.toby.id).execute()
  const after = await mark(t, t.bea, t.toby)
  assert.not.equal(after.shown, before.shown)
})

owners('two dogs that are lost together are shown at one place: their circles have no middle', async (t) => {
  assert.equal((await mark(t, t.ana, t.luna)).shown, (await mark(t, t.ana, t.toby)).shown)
})

owners('the offset is no number of Math.random, which others can compute', () => {
  const { random } = Math
  Math.random = () => 0
  try {
    assert.not.equal(randomOffset(), randomOffset())
  } finally {
    Math.random = random
  }
})

owners.run()
