import { atomFeed, feedUpdatedAt } from '#features/seo/feed.ts'
import { newBreedDogsFeed, newDogsFeed } from '#features/seo/feed.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, pluck, seed } from '#tests/support/suites.ts'

const feed = dbSuite('unit/seo/feed')

const SITE = 'https://perrario.example'
const MARCH = Date.UTC(2026, 2, 1, 9, 30)
const ID = '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11'

feed('an entry for one dog has exactly this XML', () => {
  const entry = {
    id: ID,
    title: 'Toby, Beagle',
    text: 'Toby: Beagle.',
    path: '/beagle/toby',
    photo: '/photos/toby.jpg',
    published: MARCH,
    updated: MARCH + 60_000,
    author: { alias: 'Ana', path: `/usuario/${ID}` },
  }
  const made = atomFeed(SITE, {
    title: 'Perros nuevos | Perrario',
    subtitle: 'Los últimos.',
    page: '/',
    self: '/novedades.atom',
    entries: [entry],
  })
  assert.is(
    made,
    `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es">
<id>https://perrario.example/novedades.atom</id>
<title>Perros nuevos | Perrario</title>
<subtitle>Los últimos.</subtitle>
<link rel="self" type="application/atom+xml" href="https://perrario.example/novedades.atom"/>
<link rel="alternate" type="text/html" href="https://perrario.example/"/>
<updated>2026-03-01T09:31:00Z</updated>
<author>
<name>Perrario</name>
</author>
<icon>https://perrario.example/favicon-48.png</icon>
<entry>
<id>urn:uuid:${ID}</id>
<title>Toby, Beagle</title>
<link rel="alternate" type="text/html" href="https://perrario.example/beagle/toby"/>
<link rel="enclosure" type="image/jpeg" href="https://perrario.example/photos/toby.jpg"/>
<published>2026-03-01T09:30:00Z</published>
<updated>2026-03-01T09:31:00Z</updated>
<author>
<name>Ana</name>
<uri>https://perrario.example/usuario/${ID}</uri>
</author>
<summary>Toby: Beagle.</summary>
</entry>
</feed>
`,
  )
})

feed('members’ texts are escaped, without characters that XML forbids', () => {
  const entry = { id: ID, path: '/x/y', photo: null, published: MARCH, updated: MARCH, author: null }
  const text = 'a\u0000b\u000bc\ud800d \ud83d\udc36 «ñ»\nlínea'
  const made = atomFeed(SITE, {
    title: '',
    subtitle: '',
    page: '/',
    self: '/a',
    entries: [{ ...entry, title: `</title><script>"&amp;'`, text }],
  })
  assert.ok(made.includes(`<title>&lt;/title&gt;&lt;script&gt;&quot;&amp;amp;'</title>`))
  assert.ok(made.includes('<summary>abcd 🐶 «ñ»\nlínea</summary>'))
  assert.not.match(made, /enclosure|<uri>/)
})

feed('has the twenty newest, the newest first, with their uploader', async ({ db }) => {
  const [ana] = await seed(db, member({ alias: 'Ana' }))
  for (let i = 0; i < 22; i++) await seed(db, dog({ name: `Toby ${i}`, owner_id: ana.id, created_at: MARCH + i }))
  const { entries } = await newDogsFeed(db)
  assert.is(entries.length, 20)
  assert.equal([entries[0]!.title, entries[19]!.title], ['Toby 21, Beagle', 'Toby 2, Beagle'])
  assert.equal(entries[0]!.author, { alias: 'Ana', path: `/usuario/${ana.id}` })
  assert.is(feedUpdatedAt({ entries }), MARCH + 21)
})

feed('anonymous dogs have no author, hidden ones have no entry, descriptions are updated', async ({ db }) => {
  const [stray, hidden] = await seed(
    db,
    dog({ name: 'Nadie', description: 'Muy bueno.', zone: 'Jaca', created_at: MARCH }),
    dog({ name: 'Oculto', created_at: MARCH + 1 }),
  )
  await hideDog(db, hidden.id, 'admin')
  const { entries } = await newDogsFeed(db)
  assert.equal(entries, [
    {
      id: stray.id,
      title: 'Nadie, Beagle',
      text: 'Nadie: Beagle, cromo platino, Jaca. Míralo en Perrario, el álbum de los perros.\n\nMuy bueno.',
      path: '/beagle/nadie',
      photo: stray.photo_url,
      published: MARCH,
      updated: MARCH,
      author: null,
    },
  ])
})

feed('a breed has its own feed, an unknown breed none', async ({ db }) => {
  await seed(db, member(), dog({ name: 'Toby' }), dog({ name: 'Luna', breed: 'Teckel' }))
  const made = (await newBreedDogsFeed(db, 'teckel'))!
  assert.equal(pluck(made.entries, 'title'), ['Luna, Teckel'])
  assert.equal(
    [made.title, made.page, made.self],
    ['Teckel: perros nuevos | Perrario', '/razas/teckel', '/razas/teckel/novedades.atom'],
  )
  assert.is(await newBreedDogsFeed(db, 'gato'), null)
  assert.is(feedUpdatedAt((await newBreedDogsFeed(db, 'samoyedo'))!), 0)
})

onlyOnSqlite(feed)('its queries read indexes in order', async ({ db }) => {
  await seed(db, member(), dog(), dog())
  const all = await explainQueries(db, async (db) => {
    await newDogsFeed(db)
    await newBreedDogsFeed(db, 'beagle')
  })
  // The catalogue is read once and kept.
  const made = all.filter(({ sql }) => !sql.includes('breed_overrides'))
  assert.ok(made.length > 6)
  assert.equal(findSlowSteps(made), [])
})
