import { openSearchDescription } from '#features/search/opensearch.ts'
import { type SearchKind, parseSearchQuery } from '#features/search/search.ts'
import { searchAll, searchKind, suggestBreeds } from '#features/search/search.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { assert, type Db, dog, member, pluck, seed, suite } from '#tests/support/suites.ts'

const search = suite<{ db: Db }>('unit/search/search-kinds')
search.before((t) => {
  t.db = freshDb()
})
search.after(({ db }) => db.destroy())

const options = { dataDir: '/nowhere' }
const of = async (db: Db, text: string, kind: SearchKind, limit = 5) =>
  (await searchKind(db, text, kind, { ...options, limit })).hits
const titles = async (db: Db, text: string, kind: SearchKind, limit = 5) =>
  (await of(db, text, kind, limit)).map(({ title }) => title)

search('breeds are found by name and other names, ignoring accents, the exact name first', async ({ db }) => {
  assert.is((await titles(db, 'pastor aleman', 'razas'))[0], 'Pastor alemán')
  assert.equal(await of(db, 'beagle', 'razas', 1), [
    { href: '/razas/beagle', title: 'Beagle', note: 'Reino Unido', image: { src: '/retratos/beagle.svg' } },
  ])
  assert.is((await titles(db, 'german shepherd', 'razas'))[0], 'Pastor alemán')
  assert.ok((await titles(db, 'español', 'razas', 30)).includes('Galgo español'))
  assert.equal(await titles(db, 'zzzz', 'razas'), [])
})

search('zones are towns, provinces, regions and quarters, each with its place on the map', async ({ db }) => {
  const [jaca] = await of(db, 'jaca', 'zonas')
  assert.equal([jaca?.title, jaca?.note], ['Jaca, Huesca', 'Municipio'])
  assert.match(jaca!.href, /^\/perros\?view=map&lat=42\.5\d{3}&lon=-0\.5\d{3}&zoom=12$/)
  assert.ok(
    (await of(db, 'asturias', 'zonas')).some(({ note }) => note === 'Provincia' || note === 'Comunidad autónoma'),
  )
  assert.is((await titles(db, 'coruna', 'zonas'))[0], 'Coruña, A Coruña')
  // A word in the middle, after what begins so.
  assert.ok((await titles(db, 'cubas', 'zonas', 40)).length > 0)
  assert.ok((await titles(db, 'frontera', 'zonas', 40)).some((title) => title.startsWith('Jerez de la Frontera')))
})

search('long lists in memory have pages, too', async ({ db }) => {
  for (const kind of ['razas', 'zonas'] as const) {
    const first = await searchKind(db, 'ca', kind, { ...options, limit: 4 })
    const second = await searchKind(db, 'ca', kind, { ...options, limit: 4, cursor: first.next! })
    const both = await searchKind(db, 'ca', kind, { ...options, limit: 8 })
    assert.equal([[...first.hits, ...second.hits], both.hits.length], [both.hits, 8])
  }
})

search('all kinds are searched at once, in order, without empty ones', async ({ db }) => {
  await seed(db, member({ alias: 'Galgolandia' }), dog({ name: 'Galga', breed: 'Galgo español', zone: 'Jaca, Huesca' }))
  const limits = { razas: 2, perros: 2, perfiles: 2, zonas: 2 }
  const found = await searchAll(db, 'galg', limits, options)
  assert.equal(
    pluck(found, 'kind').filter((kind) => kind !== 'zonas'),
    ['razas', 'perros', 'perfiles'],
  )
  const [, dogs, people] = found
  assert.is(dogs!.hits[0]!.note, 'Galgo español · Jaca, Huesca')
  assert.is(dogs!.hits[0]!.href, '/galgo-espanol/galga')
  assert.is(people!.hits[0]!.note, '1 perro')
  assert.ok(found[0]!.next)
  assert.equal(await searchAll(db, '🐶', limits, options), [])
})

search('a query without hits suggests a similar breed', async ({ db }) => {
  assert.equal(pluck(await suggestBreeds(db, 'begle', options), 'title'), ['Beagle'])
  assert.equal([await suggestBreeds(db, 'qqqqqqqq', options), await suggestBreeds(db, '🐶', options)], [[], []])
})

search('an address is parsed without unknown values; a query has up to a hundred characters', () => {
  const read = (text: string) => parseSearchQuery(new URLSearchParams(text))
  assert.equal(read('q=%20 a%20%20b%0Ac '), { text: 'a b c', kind: null, cursor: undefined, isLong: false })
  assert.equal(read('q=x&tipo=perros&cursor=y'), { text: 'x', kind: 'perros', cursor: 'y', isLong: false })
  assert.is(read('tipo=gatos').kind, null)
  assert.is(read('').text, '')
  assert.is(read(`q=${'ñ'.repeat(100)}`).isLong, false)
  assert.is(read(`q=${'ñ'.repeat(101)}`).isLong, true)
  assert.is(read(`q=${encodeURIComponent('👩‍👩‍👧‍👦'.repeat(100))}`).isLong, false)
  assert.is(read(`q=${'a'.repeat(50_000)}`).isLong, true)
})

search('the OpenSearch description names the site by SITE_URL', () => {
  const xml = openSearchDescription('https://perrario.example')
  assert.match(
    xml,
    /<Url type="text\/html" method="get" template="https:\/\/perrario\.example\/buscar\?q=\{searchTerms\}"\/>/,
  )
  assert.match(xml, /<ShortName>Perrario<\/ShortName>/)
})
