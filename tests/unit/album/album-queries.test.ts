import { readAlbum } from '#features/album/album.server.ts'
import {
  albumHref,
  type AlbumQuery,
  foundText,
  letterTabs,
  printedNumber,
  progressText,
  readAlbumQuery,
  shownText,
} from '#features/album/album.ts'
import { loadBreedPage } from '#features/album/breed/breed-page.server.ts'
import { rankingText } from '#features/album/ranking.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'
import { loadPrintedAlbum } from '#features/album/print/sheets.server.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { bySexText, originText } from '#features/album/breed/tile-texts.ts'

const ALL: AlbumQuery = { mode: 'community', role: 'all', search: '', order: 'az', view: 'album', page: 1 }
const album = dbSuite('unit/album/album-queries')

album('progress has four messages', () => {
  assert.is(progressText(0, 434), 'Ayuda a la comunidad descubriendo nuevas razas')
  assert.is(progressText(1, 434), 'La comunidad crece')
  assert.is(progressText(216, 434), 'La comunidad crece')
  assert.is(progressText(217, 434), 'Increíble! Casi lo tenemos')
  assert.is(progressText(433, 434), 'Increíble! Casi lo tenemos')
  assert.is(progressText(434, 434), 'La comunidad ha completado la colección')
})

album('counts read well in singular and plural', () => {
  assert.equal([0, 1, 2, 1234].map(foundText), [
    '0 razas encontradas',
    '1 raza encontrada',
    '2 razas encontradas',
    '1.234 razas encontradas',
  ])
  assert.equal([1, 24, 441].map(printedNumber), ['001', '024', '441'])
})

album('the ranking is a dash for visitors and fixed text in a small community', () => {
  assert.is(rankingText(null, 0), '—')
  // Who has no dog yet has no rank, in a community of any size.
  for (const members of [1, 9, 10, 100_000]) assert.is(rankingText({ rank: members, members }, 0), '—')
  assert.is(rankingText({ rank: 1, members: 1 }, 1), 'Top 10%')
  assert.is(rankingText({ rank: 9, members: 9 }, 1), 'Top 10%')
})

album('from ten members on the ranking is the actual percentile, rounded up', () => {
  const texts = [1, 5, 10].map((rank) => rankingText({ rank, members: 10 }, 1))
  assert.equal(texts, ['Top 10%', 'Top 50%', 'Top 100%'])
  assert.is(rankingText({ rank: 1, members: 100_000 }, 1), 'Top 1%')
  assert.is(rankingText({ rank: 7, members: 60 }, 1), 'Top 12%')
  assert.is(rankingText({ rank: 1_001, members: 100_000 }, 1), 'Top 2%')
})

album('the address contains the query, and invalid parameters are dropped', () => {
  const query: AlbumQuery = {
    mode: 'user',
    role: 'owned',
    search: 'pastor alemán',
    order: 'status',
    view: 'list',
    page: 3,
  }
  const href = albumHref('/razas', query)
  assert.is(href, '/razas?modo=mias&album=mios&buscar=pastor+alem%C3%A1n&orden=estado&vista=lista&pagina=3')
  assert.equal(readAlbumQuery(new URL(href, 'http://x').searchParams), query)
  assert.is(albumHref('/razas', ALL), '/razas')
  assert.is(albumHref('/?tab=mine', { ...ALL, page: 2 }), '/?tab=mine&pagina=2')
  const odd = new URLSearchParams('modo=otro&album=otro&orden=%27&vista=x&pagina=-4')
  assert.equal(readAlbumQuery(odd), ALL)
})

album('letters are grouped into at most eight tabs that link to their spread', () => {
  const initials = [...'AABBBBBBBBCCCDEFGGGGHJKLLMMPPPPPPPPPPRRSSSSSSSSTTTVWXY']
  const tabs = letterTabs(initials, 10)
  assert.ok(tabs.length <= 8)
  assert.equal([tabs[0]!.label.slice(0, 1), tabs[0]!.page], ['A', 1])
  for (const tab of tabs)
    assert.is(Math.floor(initials.indexOf(tab.label[0]!) / 10) + 1, tab.page, `${tab.label} stands elsewhere`)
})

album('the community’s album counts all dogs, a member’s only their own, a visitor’s none', async ({ db }) => {
  const [ana, , , luis] = await seed(
    db,
    member(),
    dog({ breed: 'Beagle' }),
    dog({ breed: 'Akita Inu' }),
    member(),
    dog({ breed: 'Beagle' }),
    dog({ breed: 'Beagle', owner_id: null }),
    dog({ breed: 'cruce de nadie sabe qué' }),
  )
  const all = await readAlbum(db, ALL, 'everyone')
  assert.equal([all.total, all.discovered, all.dogs, all.found], [441, 3, 5, 441])
  const mine = await readAlbum(db, { ...ALL, mode: 'user' }, { userId: ana.id })
  assert.equal([mine.discovered, mine.dogs], [2, 2])
  const his = await readAlbum(db, { ...ALL, mode: 'user', search: 'beagle' }, { userId: luis.id })
  assert.equal([his.discovered, his.slots[0]!.name, his.slots[0]!.count], [2, 'Beagle', 1])
  const none = await readAlbum(db, { ...ALL, mode: 'user' }, 'visitor')
  assert.equal(
    [shownText(all, true), shownText(mine, true), shownText(mine, false), shownText(his, true)],
    ['441 razas encontradas', 'Has descubierto 2 de 441', '2 de 441 descubiertas', shownText(his, false)],
  )
  assert.equal([none.discovered, none.dogs, none.slots.length], [0, 0, 24])
})

album('a dog that one member both owns and discovered counts once', async ({ db }) => {
  const [ana] = await seed(db, member())
  await seed(db, dog({ breed: 'Beagle', owner_id: ana.id, discoverer_id: ana.id }))
  const mine = await readAlbum(db, { ...ALL, mode: 'user' }, { userId: ana.id })
  assert.equal([mine.discovered, mine.dogs], [1, 1])
})

album('slots show the newest photos: three in the album, four in the list', async ({ db }) => {
  await seed(db, member())
  const dogs = await seed(db, ...[1, 2, 3, 4, 5].map((n) => dog({ breed: 'Beagle', owner_id: null, created_at: n })))
  const newest = dogs.map((d) => d.photo_url).toReversed()
  const [slot] = (await readAlbum(db, { ...ALL, search: 'beagle' }, 'everyone')).slots
  assert.equal(slot!.photos, newest.slice(0, 3))
  const [row] = (await readAlbum(db, { ...ALL, search: 'beagle', view: 'list' }, 'everyone')).slots
  assert.equal(row!.photos, newest.slice(0, 4))
})

album('the status order has breeds with dogs first, then by count, then by name', async ({ db }) => {
  await seed(
    db,
    member(),
    // Breeds with a late number: they came after the others.
    dog({ breed: 'Villano de las Encartaciones' }),
    dog({ breed: 'Dogo guatemalteco' }),
    dog({ breed: 'Whippet' }),
    dog({ breed: 'Teckel' }),
    dog({ breed: 'Teckel' }),
    dog({ breed: 'Bóxer' }),
  )
  const { slots } = await readAlbum(db, { ...ALL, order: 'status' }, 'everyone')
  assert.equal(
    slots.slice(0, 7).map((slot) => slot.name),
    [
      'Teckel',
      'Bóxer',
      'Dogo guatemalteco',
      'Villano de las Encartaciones',
      'Whippet',
      'Affenpinscher',
      'Airedale Terrier',
    ],
  )
})

album('search ignores accents, ranks exact matches first, and tries other names last', async ({ db }) => {
  const names = async (search: string) =>
    (await readAlbum(db, { ...ALL, search }, 'everyone')).slots.map((slot) => slot.name)
  assert.equal([(await names('pastor aleman'))[0], (await names('BOXER'))[0]], ['Pastor alemán', 'Bóxer'])
  assert.ok((await names('german shepherd')).includes('Pastor alemán'))
  assert.equal(await names('zzzz'), [])
})

album('a page past the end is the last one; a search has no letter tabs', async ({ db }) => {
  const last = await readAlbum(db, { ...ALL, page: 999 }, 'everyone')
  assert.equal([last.page, last.pages, last.slots.length], [19, 19, 441 - 18 * 24])
  assert.ok(last.tabs.length > 4)
  assert.equal((await readAlbum(db, { ...ALL, search: 'galgo' }, 'everyone')).tabs, [])
})

album('a breed that left the catalogue is not counted and causes no error', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ breed: 'Beagle' }))
  await db.updateTable('dogs_all').set({ breed_slug: 'raza-retirada' }).where('id', '=', toby.id).execute()
  const all = await readAlbum(db, ALL, 'everyone')
  assert.equal([all.discovered, all.dogs], [0, 0])
  assert.is(await loadBreedPage(db, 'raza-retirada', null, new Map()), null)
})

album('a breed’s page has its dogs, photos and relatives, and continues after a cursor', async ({ db }) => {
  await seed(db, member(), ...Array.from({ length: 10 }, (_, n) => dog({ breed: 'Beagle', created_at: n + 1 })))
  const page = (await loadBreedPage(db, 'beagle', null, new Map()))!
  assert.equal([page.count, page.dogs.length, page.photos.length, page.image], [10, 4, 4, '/retratos/beagle.svg'])
  assert.ok(page.related.length >= 2)
  const rest = (await loadBreedPage(db, 'beagle', page.nextCursor, new Map()))!
  assert.equal([rest.dogs.length, rest.nextCursor, rest.isContinued], [6, null, true])
  const odd = (await loadBreedPage(db, 'beagle', 'no-es-un-cursor', new Map()))!
  assert.equal([odd.dogs.length, odd.isContinued], [4, false])
})

album('an operator’s photo replaces the portrait', async ({ db }) => {
  const photos = new Map([['beagle', { key: 'razas/beagle.jpg', version: 'v1' }]])
  const page = (await loadBreedPage(db, 'beagle', null, photos))!
  assert.is(page.image, '/retratos/foto/beagle?t=breed&v=v1')
})

onlyOnSqlite(album)('no query scans a whole table, however many dogs there are', async ({ db }) => {
  const [ana] = await seed(db, member(), dog({ breed: 'Beagle' }), dog({ breed: 'Teckel' }))
  const own = { userId: ana.id }
  const plans = await explainQueries(db, async (listening) => {
    await readAlbum(listening, { ...ALL, order: 'status' }, 'everyone')
    await readAlbum(listening, { ...ALL, order: 'status', view: 'list', mode: 'user' }, own)
    await readAlbum(listening, { ...ALL, mode: 'user', role: 'owned' }, own)
    await readAlbum(listening, { ...ALL, mode: 'user', role: 'discovered' }, own)
    await loadBreedPage(listening, 'beagle', null, new Map())
  })
  for (const index of ['dogs_owner_breed', 'dogs_discoverer_breed'])
    assert.ok(
      plans.some(({ steps }) => steps.some((step) => step.includes(`COVERING INDEX ${index} `))),
      index,
    )
  assert.ok(plans.length >= 6)
  // The overrides and tallies grow with the catalogue, not with the community.
  assert.equal(findSlowSteps(plans.filter(({ sql }) => !/breed_overrides/.test(sql))), [])
})

album('a sticker uses the render of the lists: none is made only for printing', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  const { sheets } = await loadPrintedAlbum(db, 'everyone', new Map())
  const pictures = sheets.flatMap(({ slots }) => slots).flatMap(({ picture }) => picture ?? [])
  assert.equal(pictures, [photoSrc(toby.images[0]!.url, 'card')])
})

album('figures by sex stand where the sexes differ', () => {
  assert.is(bySexText({ males: [55, 60], females: [52, 57] }), 'Machos 55–60, hembras 52–57')
  assert.is(bySexText({ males: [25, 25], females: [25, 25] }), undefined)
  assert.is(bySexText({ males: [55, 60] }), undefined)
  assert.is(bySexText(undefined), undefined)
})

album('a single figure is an ideal, so that it does not contradict the range above it', () => {
  assert.is(bySexText({ males: [43, 43], females: [40, 40] }), 'Machos unos 43, hembras unos 40')
  assert.is(bySexText({ males: [12.25, 12.25], females: [11, 12] }), 'Machos unos 12,3, hembras 11–12')
})

album('an origin of two countries joins them', () => {
  assert.is(originText('Bélgica/Francia'), 'Bélgica y Francia')
  assert.is(originText('Alemania / Italia'), 'Alemania e Italia')
  assert.is(originText(''), 'Todo el mundo')
})
