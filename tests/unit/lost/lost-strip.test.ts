import { saveHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { loadLostStrip, loadOwnLostStrip } from '#features/lost/strip/lost-strip.server.ts'
import { STRIP_DOGS, stripTitle } from '#features/lost/strip/lost-strip.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { dog, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, dbSuite } from '#tests/support/suites.ts'

const strip = dbSuite('unit/lost/lost-strip')

strip('without an open case there is no strip', async ({ db }) => {
  const [ana] = await seed(db, member(), dog())
  assert.equal([await loadLostStrip(db), await loadOwnLostStrip(db, ana.id)], [null, null])
})

strip('it shows the newest dogs and counts all of them', async ({ db }) => {
  const [ana] = await seed(db, member())
  for (let i = 0; i < STRIP_DOGS + 2; i++) {
    const [lost] = await seed(db, dog({ name: `Lola ${i}`, owner_id: ana.id }))
    await insertLostCase(db, lost, { opened_at: i })
  }
  const shown = await loadLostStrip(db)
  assert.is(shown!.dogs.length, STRIP_DOGS)
  assert.is(shown!.dogs[0]!.name, `Lola ${STRIP_DOGS + 1}`)
  assert.is(stripTitle(shown!), '8 perros perdidos')
  assert.is(shown!.href, '/perdidos')
})

strip('that of a member shows the provinces of their home zone and of what they follow', async ({ db }) => {
  const [ana, toby, luna, kira] = await seed(
    db,
    member(),
    dog({ name: 'Toby' }),
    dog({ name: 'Luna' }),
    dog({ name: 'Kira' }),
  )
  await insertLostCase(db, toby, { province: '22' })
  await insertLostCase(db, luna, { province: '28' })
  await insertLostCase(db, kira, { province: '41' })
  assert.is(await loadOwnLostStrip(db, ana.id), null)
  await saveHomeZone(db, withRecentSignIn(ana), { zone: 'Jaca', alert: null, digest: false })
  const home = await loadOwnLostStrip(db, ana.id)
  assert.equal([stripTitle(home!), home!.href], ['1 perro perdido en Huesca', '/perdidos?provincia=22'])
  await db.insertInto('follows').values({ user_id: ana.id, kind: 'zone', target_id: '28', created_at: 1 }).execute()
  const both = await loadOwnLostStrip(db, ana.id)
  assert.equal(both!.dogs.map(({ name }) => name).toSorted(), ['Luna', 'Toby'])
  assert.is(stripTitle(both!), '2 perros perdidos cerca de ti')
})

strip('a long count is said as such', () => {
  assert.is(stripTitle({ count: 201, place: 'en Madrid' }), 'Más de 200 perros perdidos en Madrid')
  assert.is(stripTitle({ count: 200, place: '' }), '200 perros perdidos')
})
