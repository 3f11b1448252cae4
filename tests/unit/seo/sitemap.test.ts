import { ban } from '#features/moderation/bans.server.ts'
import { hideProfile } from '#features/profiles/hidden-profiles.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { robotsText } from '#features/seo/robots.ts'
import {
  partName,
  idPrefixes,
  idRangeOf,
  parsePartName,
  sitemapIndex,
  sitemapPart,
  prefixLengthFor,
} from '#features/seo/sitemap.ts'
import { readSitemapEntries, listSitemapParts } from '#features/seo/sitemap.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dbSuite, type Dog, dog, member, onlyOnSqlite, pluck, seed } from '#tests/support/suites.ts'
import { insert, update } from '#tests/support/rows.ts'

const sitemap = dbSuite('unit/seo/sitemap')

const SITE = 'https://perrario.example'
const MARCH = Date.UTC(2026, 2, 1, 9, 30)
const none = new Map()

sitemap('robots.txt lists the private paths, and the sitemap only if SITE_URL is set', () => {
  const rules = `User-agent: *
Disallow: /admin
Disallow: /api/
Disallow: /baja
Disallow: /compartir
Disallow: /denunciar
Disallow: /fragments/
Disallow: /login
Disallow: /notificaciones
Disallow: /perfil
Allow: /api/docs
`
  assert.is(robotsText(undefined), rules)
  assert.is(robotsText(SITE), `${rules}\nSitemap: https://perrario.example/sitemap.xml\n`)
})

sitemap('the number of files grows before their size', () => {
  assert.equal([0, 2000, 2001, 32_000, 32_001, 1_000_000].map(prefixLengthFor), [0, 0, 1, 1, 2, 2])
  assert.equal(idPrefixes(0), [''])
  assert.is(idPrefixes(1).join(''), '0123456789abcdef')
  assert.is(idPrefixes(2).length, 256)
  assert.equal([idPrefixes(2)[0], idPrefixes(2)[26], idPrefixes(2)[255]], ['00', '1a', 'ff'])
})

sitemap('every id is in one file of each split', () => {
  const ids = Array.from({ length: 300 }, () => crypto.randomUUID())
  for (const digits of [0, 1, 2] as const)
    for (const id of ids) {
      const found = idPrefixes(digits).filter((prefix) => {
        const { from, before } = idRangeOf(prefix)
        return id >= from && id < before
      })
      assert.equal(found, [id.slice(0, digits)])
    }
})

sitemap('a file is named by its kind and the prefix of its ids', () => {
  assert.equal([partName('perros', ''), partName('miembros', 'a3')], ['perros', 'miembros-a3'])
  assert.equal(parsePartName('perros-a3'), { kind: 'perros', prefix: 'a3' })
  assert.equal(parsePartName('razas'), { kind: 'razas', prefix: '' })
  for (const name of ['perros-', 'perros-A3', 'perros-a3f', 'gatos', 'perros-zz', '', 'perros/a3'])
    assert.is(parsePartName(name), null, name)
})

sitemap('the index and a file have exactly this XML', () => {
  assert.is(
    sitemapIndex(SITE, [{ path: '/sitemap/razas.xml' }, { path: '/sitemap/perros.xml', changed: MARCH }]),
    `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap>
<loc>https://perrario.example/sitemap/razas.xml</loc>
</sitemap>
<sitemap>
<loc>https://perrario.example/sitemap/perros.xml</loc>
<lastmod>2026-03-01T09:30:00Z</lastmod>
</sitemap>
</sitemapindex>
`,
  )
  assert.is(
    sitemapPart(SITE, [
      { path: '/beagle/toby', changed: MARCH, images: ['/photos/a.jpg', '/retratos/foto/beagle?t=breed&v=1'] },
      { path: '/comunidad' },
    ]),
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url>
<loc>https://perrario.example/beagle/toby</loc>
<lastmod>2026-03-01T09:30:00Z</lastmod>
<image:image><image:loc>https://perrario.example/photos/a.jpg</image:loc></image:image>
<image:image><image:loc>https://perrario.example/retratos/foto/beagle?t=breed&amp;v=1</image:loc></image:image>
</url>
<url>
<loc>https://perrario.example/comunidad</loc>
</url>
</urlset>
`,
  )
})

const entriesOf = async (db: ReturnType<typeof freshDb>, name: string, now?: number) =>
  readSitemapEntries(db, parsePartName(name)!, none, now)

sitemap('dogs have the time of their last edit and all their photos', async ({ db }) => {
  const [, toby, luna] = await seed(
    db,
    member(),
    dog({ name: 'Toby', created_at: MARCH, photos: 2 }),
    dog({ name: 'Luna', created_at: MARCH + 1000 }),
  )
  await update(db, 'dogs_all', { id: toby.id }, { updated_at: MARCH + 5000 })
  const found = (await entriesOf(db, 'perros'))!
  const of = ({ path }: Dog) => found.find((entry) => entry.path === path)!
  assert.is(found.length, 2)
  assert.equal(of(toby), { path: '/beagle/toby', changed: MARCH + 5000, images: toby.images.map(({ url }) => url) })
  assert.is(of(toby).images!.length, 2)
  assert.equal(of(luna), { path: '/beagle/luna', changed: MARCH + 1000, images: [luna.photo_url] })
})

sitemap(
  'only public pages are listed: no hidden dog, no hidden, banned or erased member, none without dogs',
  async ({ db }) => {
    const [ana, shown, hidden] = await seed(db, member(), dog(), dog())
    const [banned, , wasBanned, , gone] = await seed(db, member(), dog(), member(), dog(), member(), dog())
    const [erased, , idle] = await seed(db, member(), dog(), member())
    await hideDog(db, hidden.id, 'admin')
    await hideProfile(db, gone.id, 'admin')
    await ban(db, banned.id, { until: MARCH + 1, reason: 'Insultos.' })
    await ban(db, wasBanned.id, { until: MARCH - 1, reason: 'Insultos.' })
    await db.deleteFrom('users').where('id', '=', erased.id).execute()
    const dogs = (await entriesOf(db, 'perros'))!.map(({ path }) => path)
    assert.is(dogs.length, 5)
    assert.ok(dogs.includes(shown.path))
    assert.not.ok(dogs.includes(hidden.path))
    const members = (await entriesOf(db, 'miembros', MARCH))!.map(({ path }) => path)
    assert.equal(members, [`/usuario/${ana.id}`, `/usuario/${wasBanned.id}`].toSorted())
    assert.not.ok(members.includes(`/usuario/${idle.id}`))
  },
)

sitemap('a member’s page has the time of their newest dog', async ({ db }) => {
  const [ana] = await seed(db, member(), dog({ created_at: MARCH }), dog({ created_at: MARCH + 9000 }))
  assert.equal(await entriesOf(db, 'miembros'), [{ path: `/usuario/${ana.id}`, changed: MARCH + 9000 }])
})

sitemap('a breed’s page has the time of its newest dog or the admin’s last change of its texts', async ({ db }) => {
  await seed(db, member(), dog({ created_at: MARCH }), dog({ breed: 'Teckel', created_at: MARCH }))
  const change = (id: string, breed_slug: string, created_at: number, undone_at: number | null) => ({
    id,
    breed_slug,
    changes: '{}',
    before: '{}',
    user_id: null,
    created_at,
    undone_at,
  })
  await insert(db, 'breed_overrides', [
    change('1', 'teckel', MARCH + 1, MARCH + 7),
    change('2', 'samoyedo', MARCH + 3, null),
  ])
  const found = (await entriesOf(db, 'razas'))!
  const of = (slug: string) => found.find(({ path }) => path === `/razas/${slug}`)!
  assert.equal(of('beagle'), { path: '/razas/beagle', changed: MARCH, images: ['/retratos/beagle.svg'] })
  assert.is(of('teckel').changed, MARCH + 7)
  assert.is(of('samoyedo').changed, MARCH + 3)
  assert.is(of('podenco-ibicenco').changed, undefined)
  const photo = new Map([['beagle', { key: 'razas/beagle.jpg', version: 'v1' }]])
  const withPhoto = (await readSitemapEntries(db, { kind: 'razas', prefix: '' }, photo))!
  assert.equal(withPhoto.find(({ path }) => path === '/razas/beagle')!.images, ['/retratos/foto/beagle?t=breed&v=v1'])
})

sitemap('the index has for each file the time of its last change', async ({ db }) => {
  const empty = await listSitemapParts(db)
  assert.equal(empty, [
    { path: '/sitemap/paginas.xml', changed: undefined },
    { path: '/sitemap/razas.xml', changed: undefined },
  ])
  const [, toby] = await seed(db, member(), dog({ created_at: MARCH }), dog({ created_at: MARCH + 1000 }))
  await update(db, 'dogs_all', { id: toby.id }, { updated_at: MARCH + 5000 })
  assert.equal(await listSitemapParts(db), [
    { path: '/sitemap/paginas.xml', changed: MARCH + 1000 },
    { path: '/sitemap/razas.xml', changed: MARCH + 1000 },
    { path: '/sitemap/perros.xml', changed: MARCH + 5000 },
    { path: '/sitemap/miembros.xml', changed: MARCH + 1000 },
  ])
})

/** As many dogs as the tallies say, without their rows: what tells how the files are split. */
const setTallies = (db: ReturnType<typeof freshDb>, dogs: number) =>
  db.insertInto('dog_tallies').values({ breed_slug: 'galgo-espanol', size: 'grande', dogs, likes: 0 }).execute()

sitemap('a large community’s dogs are in files by the prefix of their ids, and in no other', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ created_at: MARCH }))
  await setTallies(db, 40_000)
  const start = toby.id.slice(0, 2)
  const parts = await listSitemapParts(db)
  assert.equal(
    parts.filter(({ path }) => path.startsWith('/sitemap/perros')),
    [{ path: `/sitemap/perros-${start}.xml`, changed: MARCH }],
  )
  assert.equal(pluck((await entriesOf(db, `perros-${start}`))!, 'path'), [toby.path])
  assert.equal(await entriesOf(db, `perros-${start === 'ff' ? '00' : 'ff'}`), [])
  assert.is(await entriesOf(db, 'perros'), null, 'all of them at once')
  assert.equal([await entriesOf(db, `perros-${start[0]}`), await entriesOf(db, 'razas-a')], [null, null])
})

onlyOnSqlite(sitemap)('no query of it grows with the community, but by the rows it returns', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog(), dog(), member(), dog())
  const part = { kind: 'perros', prefix: toby.id.slice(0, 2) } as const
  const made = [
    ...(await explainQueries(db, async (db) => {
      await listSitemapParts(db)
      for (const name of ['paginas', 'razas', 'perros', 'miembros']) await entriesOf(db, name)
    })),
    ...(await setTallies(db, 40_000), await explainQueries(db, (db) => readSitemapEntries(db, part, none))),
    // The catalogue is read once and kept.
  ].filter(({ sql }) => !sql.includes('"undone_at" is null'))
  assert.ok(made.length > 12)
  assert.equal(findSlowSteps(made), [])
  const stepsOf = (start: string) => made.filter(({ sql }) => sql.includes(start)).flatMap(({ steps }) => steps)
  assert.ok(stepsOf('max(updated_at)').some((step) => /USING (COVERING )?INDEX dogs_sitemap \(<expr>=\?\)/.test(step)))
  assert.ok(stepsOf('max(created_at) FROM member_dogs').some((step) => /member_dogs_sitemap \(<expr>=\?\)/.test(step)))
  assert.ok(
    stepsOf('"path_breed"').every((step) =>
      /SEARCH dogs_all USING INDEX sqlite_autoindex_dogs_all_1 \(id>\? AND id<\?\)/.test(step),
    ),
  )
})
