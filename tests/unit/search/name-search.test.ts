import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { searchKey } from '#lib/text/search-key.ts'
import { writeDogWords } from '#features/dogs/dog-words.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { findNames } from '#features/search/name-search.server.ts'
import { SEARCH_PAGE_SIZE } from '#features/search/search.ts'
import { searchAll, searchKind } from '#features/search/search.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, type Db, dbSuite, dog, member, onlyOnSqlite, pluck, refusal, seed } from '#tests/support/suites.ts'
import { countRows, update } from '#tests/support/rows.ts'

const names = dbSuite('unit/search/name-search')

const options = { dataDir: '/nowhere' }
const dogsNamed = (...all: string[]) => all.map((name, i) => dog({ name, owner_id: null, created_at: i }))
const found = async (db: Db, text: string, limit = 50) =>
  (await searchKind(db, text, 'perros', { ...options, limit })).hits.map(({ title }) => title)
const people = async (db: Db, text: string, user: { id: string } | null = null) =>
  (await searchKind(db, text, 'perfiles', { ...options, user, limit: 50 })).hits.map(({ title }) => title)

names('an exact name ranks first, then prefixes, then prefixes of words', async ({ db }) => {
  await seed(db, ...dogsNamed('Gran Luna', 'Lunares', 'Luna', 'Aluna', 'Luna Bella', 'Trufa'))
  assert.equal(await found(db, 'luna'), ['Luna', 'Luna Bella', 'Lunares', 'Gran Luna'])
  assert.equal(await found(db, 'bel'), ['Luna Bella'])
  assert.equal(await found(db, 'una'), [])
})

names('accents and case are ignored; the letters as typed rank first', async ({ db }) => {
  await seed(db, ...dogsNamed('TOMÁS', 'Tomas', 'Tomasín'))
  assert.equal(await found(db, 'tomas'), ['Tomas', 'TOMÁS', 'Tomasín'])
  assert.equal(await found(db, 'Tomás'), ['TOMÁS', 'Tomas', 'Tomasín'])
  assert.equal(await found(db, 'TOMASIN'), ['Tomasín'])
  // The same letters, composed by whoever typed them.
  assert.equal(await found(db, 'Toma\u0301s'), ['TOMÁS', 'Tomas', 'Tomasín'])
})

names('a query with ñ ranks names with ñ first, each once', async ({ db }) => {
  await seed(db, ...dogsNamed('Pena', 'Peñalba', 'Penélope', 'La Peña', 'Peña', 'Pena Peñas'))
  assert.equal(await found(db, 'peña'), ['Peña', 'Peñalba', 'La Peña', 'Pena Peñas', 'Pena'])
  assert.equal(await found(db, 'pen'), ['Pena', 'Peña', 'Pena Peñas', 'Peñalba', 'Penélope', 'La Peña'])
})

names('a name is found once, whichever of its words match', async ({ db }) => {
  await seed(db, ...dogsNamed('Toby Toby', 'Gran Toby Tobías', 'Toby'))
  assert.equal(await found(db, 'tob'), ['Toby', 'Toby Toby', 'Gran Toby Tobías'])
  assert.equal(await found(db, 'toby'), ['Toby', 'Toby Toby', 'Gran Toby Tobías'])
})

names('hyphens, spaces and signs in a query are equal', async ({ db }) => {
  const [, ana] = await seed(db, dog({ name: 'Rin-Tin Tin', owner_id: null }), member({ alias: 'Ana d’Orió, 2ª' }))
  for (const text of ['rin tin', 'Rin-Tin-Tin', '  RIN   tin ', '«rin tin»'])
    assert.equal(await found(db, text), ['Rin-Tin Tin'])
  for (const text of ['ana d’orio', "ANA D'ORIÓ", 'orió', 'orio, 2a']) assert.equal(await people(db, text), [ana.alias])
})

names('every text is a literal query and never an error', async ({ db }) => {
  await seed(db, ...dogsNamed('Toby'), member({ alias: 'Ana' }))
  const nasty = [
    '"',
    "'",
    '*',
    'toby*',
    '"toby',
    '^toby',
    'NEAR(a b)',
    'a AND',
    '-toby',
    '(',
    ')',
    ':',
    '%',
    '_',
    '\\',
    '🐶',
    '👨‍👩‍👧',
    '\u0000',
    '\ud800',
    '???',
    ';--',
    '{toby}',
  ]
  for (const text of nasty) {
    const all = await searchAll(db, text, { razas: 3, perros: 3, perfiles: 3, zonas: 3 }, options)
    assert.ok(Array.isArray(all), text)
  }
  assert.equal(await found(db, 'toby*'), ['Toby'])
  assert.equal(await found(db, '%'), [])
  assert.equal(await found(db, '_oby'), [])
  assert.equal(await found(db, 'toby 🐶'), ['Toby'])
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (text) => {
      assert.ok((await findNames(db, 'dog_words', searchKey(text), { limit: 3 })).length <= 1)
    }),
    { numRuns: 200 },
  )
})

names('dogs without a name are not found', async ({ db }) => {
  await seed(db, ...dogsNamed('???'))
  assert.equal([await found(db, '?'), await countRows(db, 'dog_words')], [[], 0])
})

names('the index follows new, changed and deleted names', async ({ db }) => {
  const [ana, toby] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby' }))
  await updateDog(db, ana, toby.id, { name: 'Bruno Ñu' })
  await updateProfile(db, ana, { alias: 'Berta', emoji: '🐶' })
  assert.equal([await found(db, 'toby'), await found(db, 'ñu')], [[], ['Bruno Ñu']])
  assert.equal([await people(db, 'ana'), await people(db, 'berta')], [[], ['Berta']])
  await db.deleteFrom('dogs_all').execute()
  await db.deleteFrom('profiles_all').execute()
  assert.equal([await countRows(db, 'dog_words'), await countRows(db, 'member_words')], [0, 0])
})

names('a name is indexed from each of its words to the end', async ({ db }) => {
  const latin = fc.constantFrom(...'aeiouñçÁÉÍÓÚÜÑÇøŁßæÆıİẞẽǅŷ ̃- 0127AZ.,’·&+_!?¡¿ªº')
  const [toby] = await seed(db, dog({ name: 'Toby', owner_id: null }))
  const rows = db.selectFrom('dog_words').select(['place', 'plain', 'low']).where('id', '=', toby.id)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: latin, minLength: 1, maxLength: 30 }), async (text) => {
      await writeDogWords(db, toby.id, text)
      const { plain, low } = searchKey(text)
      const found = (await rows.execute()).toSorted((a, b) => b.plain.length - a.plain.length)
      const words = plain ? plain.split(' ') : []
      assert.equal(
        pluck(found, 'plain'),
        words.map((_, index) => words.slice(index).join(' ')),
      )
      assert.equal(found[0], plain ? { place: 0, plain, low } : undefined, text)
      assert.ok(found.slice(1).every((row) => row.place === 1 && low.endsWith(row.low)))
    }),
    { numRuns: 200 },
  )
  await writeDogWords(db, toby.id, 'Bruno '.repeat(100))
  assert.ok((await rows.execute()).length < 40, 'a longer name is indexed by its beginning')
})

names('pages continue where the last one ended, through every stage, to the end', async ({ db }) => {
  const all = ['Sol', 'Sól', 'Solana', 'Soledad', 'Gran Sol', 'Mi Solete', 'Sol', 'Sola', 'Bel Sol', 'Sölve']
  await seed(db, ...dogsNamed(...all, 'Otro'))
  const pages: string[] = []
  let cursor: string | undefined
  do {
    const page = await searchKind(db, 'sol', 'perros', { ...options, limit: 3, cursor })
    pages.push(...page.hits.map(({ title, href }) => `${title} ${href}`))
    assert.ok(page.hits.length <= 3)
    cursor = page.next ?? undefined
  } while (cursor)
  assert.equal([pages.length, new Set(pages).size], [all.length, all.length])
  assert.equal(
    pages.map((page) => page.split(' /')[0]),
    await found(db, 'sol'),
  )
})

names('blocked, blocking and banned members are not found', async ({ db }) => {
  const [luis, , eva, pau] = await seed(
    db,
    member({ alias: 'Marta Luis' }),
    member({ alias: 'Marta Gil' }),
    member({ alias: 'Marta Eva' }),
    member({ alias: 'Marta Pau' }),
  )
  await addBlock(db, luis, eva.id)
  assert.equal(await people(db, 'marta'), ['Marta Eva', 'Marta Gil', 'Marta Luis', 'Marta Pau'])
  assert.equal(await people(db, 'marta', luis), ['Marta Gil', 'Marta Luis', 'Marta Pau'])
  assert.equal(await people(db, 'marta', eva), ['Marta Eva', 'Marta Gil', 'Marta Pau'])
  await ban(db, pau.id, { until: null, reason: 'Insultos.' })
  assert.equal(await people(db, 'marta'), ['Marta Eva', 'Marta Gil', 'Marta Luis'])
  await update(db, 'bans', {}, { until: Date.now() - 1 })
  assert.is((await people(db, 'marta')).length, 4)
  // Who is left out makes no page short.
  const { hits, next } = await searchKind(db, 'marta', 'perfiles', { ...options, user: luis, limit: 2 })
  assert.equal(pluck(hits, 'title'), ['Marta Gil', 'Marta Luis'])
  const second = await searchKind(db, 'marta', 'perfiles', { ...options, user: luis, limit: 2, cursor: next! })
  assert.equal([second.hits.map(({ title }) => title), second.next], [['Marta Pau'], null])
})

names('a cursor of another kind, query or origin is refused', async ({ db }) => {
  await seed(db, ...dogsNamed('Sol', 'Sola', 'Solo'))
  const { next } = await searchKind(db, 'sol', 'perros', { ...options, limit: 1 })
  const search = (text: string, kind: 'perros' | 'perfiles' | 'razas' | 'zonas', cursor: string) =>
    searchKind(db, text, kind, { ...options, limit: 1, cursor })
  const refused = async (...args: Parameters<typeof search>) => (await refusal(search(...args)))[0]
  assert.ok(await search('sol', 'perros', next!))
  assert.equal([await refused('luna', 'perros', next!), await refused('sol', 'perfiles', next!)], [422, 422])
  for (const kind of ['perros', 'perfiles', 'razas', 'zonas'] as const)
    for (const cursor of ['x', '%', btoa('[]'), btoa('["perros%20sol",1,"x"]'), btoa('["perros%20sol",-1,"%5B%5D"]')])
      assert.is(await refused('sol', kind, cursor), 422, `${kind} ${cursor}`)
})

onlyOnSqlite(names)('every stage reads a range of an index and sorts nothing', async ({ db }) => {
  await seed(
    db,
    ...dogsNamed('Peña', 'Peñas', 'La Peña', 'Pena', 'Penas', 'La Pena'),
    member({ alias: 'Peña' }),
    member({ alias: 'Peñas' }),
  )
  for (const kind of ['perros', 'perfiles'] as const)
    for (const text of ['peña', 'pena']) {
      const made = await explainQueries(db, async (db) => {
        const first = await searchKind(db, text, kind, { ...options, limit: 1 })
        assert.ok(first.next)
        await searchKind(db, text, kind, { ...options, limit: SEARCH_PAGE_SIZE, cursor: first.next })
      })
      assert.equal(findSlowSteps(made), [])
      const stages = made.filter(({ sql }) => /from "(dog|member)_words"/.test(sql))
      assert.ok(stages.length >= (text === 'peña' ? 7 : 5), `${stages.length} stages`)
      for (const { steps } of stages) {
        assert.match(
          steps[0]!,
          /^SEARCH w USING (PRIMARY KEY|COVERING INDEX \w+_words_low|INDEX \w+_words_low) \(place=\? AND /,
          steps.join('\n'),
        )
        for (const step of steps.slice(1)) assert.ok(/^SEARCH (e|bans|blocks) |SUBQUERY/.test(step), step)
      }
    }
})

names('the migration imports none of our own code', () => {
  assert.not.match(readFileSync('db/migrations/base/2026-11-22-0912-name-words.ts', 'utf8'), /perrario_|#lib|#features/)
})
