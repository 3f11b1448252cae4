import { like } from '#features/likes/likes.server.ts'
import { readSitemapEntries } from '#features/seo/sitemap.server.ts'
import { cardWords, CARD_NAMES, toYearCards } from '#features/years/cards.ts'
import { readCommunityYear, refreshCommunityYear } from '#features/years/community-year.server.ts'
import { loadMemberYear } from '#features/years/member-year.server.ts'
import { drawProvinces } from '#features/years/province-map.server.ts'
import {
  closedYearText,
  invitedYear,
  isEmptyYear,
  isYearOpen,
  latestYear,
  noCommunityYearText,
  parseYear,
  yearRange,
} from '#features/years/years.ts'
import { madridMidnight } from '#lib/dates.ts'
import { assert, dbSuite, dog, member, pluck, seed } from '#tests/support/suites.ts'

const at = (time: string) => Date.parse(time)
const years = dbSuite('unit/years/years')

years('a year can be looked back on from 1 December to the end of the next year, Madrid', () => {
  const first = at('2026-11-30T23:00:00Z')
  assert.equal([isYearOpen(2026, first - 1), isYearOpen(2026, first)], [false, true])
  const end = at('2027-12-31T23:00:00Z')
  assert.equal([isYearOpen(2026, end - 1), isYearOpen(2026, end)], [true, false])
  assert.equal([latestYear(first - 1), latestYear(first), latestYear(end)], [2025, 2026, 2027])
  assert.is(closedYearText(2026, first - 1), 'Tu 2026 se podrá ver a partir del 1 de diciembre de 2026.')
  assert.match(closedYearText(2026, end), /^El 2026 ya no se puede ver/)
  assert.equal(['2026', '026', '20260', '1999', 'x', undefined].map(parseYear), [2026, null, null, null, null, null])
})

years('the invitation stands from December to January', () => {
  const [begin, end] = [at('2026-11-30T23:00:00Z'), at('2027-01-31T23:00:00Z')]
  assert.equal([begin - 1, begin, end - 1, end].map(invitedYear), [null, 2026, 2026, null])
})

years('a Madrid day begins at midnight in summer, in winter and where the clocks change', () => {
  const days: [number, string][] = [
    [20260115, '2026-01-14T23:00:00Z'],
    [20260715, '2026-07-14T22:00:00Z'],
    [20260329, '2026-03-28T23:00:00Z'],
    [20260330, '2026-03-29T22:00:00Z'],
    [20261025, '2026-10-24T22:00:00Z'],
    [20261026, '2026-10-25T23:00:00Z'],
  ]
  for (const [day, time] of days) assert.is(new Date(madridMidnight(day)).toISOString(), time.replace('Z', '.000Z'))
})

years('eight cards name who liked most to the member, and to nobody else', async ({ db }) => {
  const [bea, ana] = await seed(db, member({ alias: 'Bea Ruiz' }), member({ alias: 'Ana' }))
  const [toby] = await seed(db, dog({ owner_id: ana.id, name: 'Toby', zone: 'Soria' }))
  await like(db, bea, toby.id)
  const now = Date.now()
  const year = await loadMemberYear(db, ana.id, new Date(now).getFullYear(), now)
  const own = toYearCards(year, 'member')
  assert.equal(pluck(own, 'name'), [...CARD_NAMES])
  const said = own.map(cardWords).join('\n')
  assert.match(said, /Quien más te ha querido: Bea Ruiz\. 1 like a tus perros en \d{4}\./)
  assert.not.match(said, /este año/i)
  assert.match(said, /Razas nuevas en tu álbum: 1\. Beagle\. Vistas en Soria \(1\)\./)
  assert.match(said, /El primero del año: Toby\. Beagle\. Llegó el/)
  assert.match(said, /El primero y el último: solo estuvo Toby\. Y bastó\./)
  const shared = JSON.stringify(toYearCards(year, 'others'))
  assert.not.match(shared, /Bea Ruiz/)
  assert.not.ok(shared.includes(bea.id))
  assert.match(shared, /El año en perros de Ana/)
})

years('an empty year has sentences for everything', async ({ db }) => {
  const [ana] = await seed(db, member())
  const year = await loadMemberYear(db, ana.id, 2025, Date.now())
  assert.ok(isEmptyYear(year))
  for (const audience of ['member', 'others'] as const) {
    const said = toYearCards(year, audience).map(cardWords).join('\n')
    assert.not.match(said, /undefined|este año/i)
    assert.match(said, 'En 2025 no entró ningún perro en el álbum.')
  }
})

years('a breed that has gone from the catalogue is named by its slug', async ({ db }) => {
  const [ana] = await seed(db, member())
  const { from } = yearRange(2025)
  await seed(
    db,
    dog({ owner_id: ana.id, breed: 'Mestizo', created_at: from + 1 }),
    dog({ owner_id: ana.id, breed: 'Beagle', created_at: from + 2 }),
  )
  await db.updateTable('dogs_all').set({ breed_slug: 'perro-ido' }).where('breed_slug', '=', 'beagle').execute()
  const names = (breeds: readonly { name: string }[]) => breeds.map(({ name }) => name).toSorted()
  const year = await loadMemberYear(db, ana.id, 2025, yearRange(2025).to)
  assert.equal(
    [names(year.breeds), names(year.newBreeds)],
    [
      ['Mestizo', 'perro-ido'],
      ['Mestizo', 'perro-ido'],
    ],
  )
  await refreshCommunityYear(db, yearRange(2025).to)
  assert.equal(names((await readCommunityYear(db, 2025))!.breeds), ['Mestizo', 'perro-ido'])
})

years('the map shades provinces by their part of the largest', () => {
  const { shapes } = drawProvinces([
    { id: '28', count: 8 },
    { id: '42', count: 1 },
  ])
  assert.is(shapes.length, 52)
  assert.equal(
    pluck(shapes, 'level').filter((level) => level > 0),
    [4, 1],
  )
})

years('the community’s year is counted once a day in December, and for good in January', async ({ db }) => {
  const inDecember = at('2026-12-05T10:00:00Z')
  assert.is(await refreshCommunityYear(db, inDecember), false, 'a year without dogs has no row')
  const [ana] = await seed(db, member())
  const added = (time: string, breed: string, zone: string) =>
    dog({ owner_id: ana.id, created_at: at(time), breed, zone })
  await seed(
    db,
    added('2025-12-31T22:59:00Z', 'Beagle', 'Madrid'),
    added('2025-12-31T23:00:00Z', 'Beagle', 'Soria'),
    added('2026-03-01T10:00:00Z', 'Beagle', 'Soria'),
    added('2026-12-01T10:00:00Z', 'Bóxer', 'Madrid'),
  )
  assert.is((await readCommunityYear(db, 2026, inDecember))?.dogs, 3, 'before it is counted')
  assert.is(
    noCommunityYearText(2026, at('2026-11-30T10:00:00Z')),
    'El 2026 de la comunidad se podrá ver a partir del 1 de diciembre de 2026.',
  )
  assert.is(noCommunityYearText(2025, at('2026-11-30T10:00:00Z')), 'Todavía no hay resumen de ese año.')
  assert.is(await refreshCommunityYear(db, inDecember), true)
  assert.equal(await readCommunityYear(db, 2026), {
    year: 2026,
    dogs: 3,
    likes: 0,
    breedCount: 2,
    breeds: [
      { slug: 'beagle', name: 'Beagle', dogs: 2 },
      { slug: 'boxer', name: 'Bóxer', dogs: 1 },
    ],
    provinces: [
      { id: '42', name: 'Soria', dogs: 2 },
      { id: '28', name: 'Madrid', dogs: 1 },
    ],
    months: [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    computedAt: inDecember,
  })
  assert.is(await refreshCommunityYear(db, inDecember + 3_600_000), false)
  assert.is(await refreshCommunityYear(db, inDecember + 86_400_000), true)
  const inJanuary = at('2026-12-31T23:00:00Z')
  assert.is(await refreshCommunityYear(db, inJanuary), true)
  assert.is(await refreshCommunityYear(db, inJanuary + 30 * 86_400_000), false)
  assert.is(await readCommunityYear(db, 2025, inJanuary), null)
  const entries = await readSitemapEntries(db, { kind: 'paginas', prefix: '' }, new Map())
  assert.ok(entries?.some(({ path }) => path === '/comunidad/2026'))
})
