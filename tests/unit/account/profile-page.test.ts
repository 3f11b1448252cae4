import { randomUUID } from 'node:crypto'
import { carouselPosition } from '#features/account/join/photo-carousel.ts'
import type { ProfileData } from '#features/account/profile/profile.ts'
import { loadProfile } from '#features/account/profile/profile.server.ts'
import { loadMemberAlbum } from '#features/album/member-album.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { memberSince, parseProfileTab } from '#features/profiles/profiles.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { assert, type Db, dbSuite, dog as dogSeed, insert, pick, pluck, rowOf, seed } from '#tests/support/suites.ts'

const page = dbSuite('unit/account/profile-page', {}, async ({ db }) => {
  const id = (await ensureUser(db, 'ana@ejemplo.es')).id
  await ensureProfile(db, id)
  return { id }
})

let at = 1_790_000_000_000
async function dog(db: Db, breed: string, whose: { owner_id?: string; discoverer_id?: string }) {
  at += 1000
  const [{ id }] = await seed(db, dogSeed({ breed, owner_id: null, ...whose, created_at: at }))
  return id
}
const load = (db: Db, id: string, query = '') => loadProfile(db, id, new URLSearchParams(query))
const BEAGLE = 'Beagle'
const GALGO = 'Galgo Español'

page('shows nothing about an unknown member', async ({ db }) => {
  assert.is(await load(db, randomUUID()), undefined)
  assert.is(await load(db, 'no-uuid'), undefined)
})

page('the owner badge requires an owned dog; a discovered one does not count', async ({ db, id }) => {
  await dog(db, BEAGLE, { discoverer_id: id })
  assert.is((await load(db, id))!.member.isOwner, false)
  await dog(db, BEAGLE, { owner_id: id })
  const { member, dogs } = (await load(db, id))!
  assert.is(member.isOwner, true)
  assert.equal([member.dogs, member.breeds, member.likes], [2, 1, 0])
  assert.is(dogs.length, 2)
})

page('the breeds tab is the member’s album, with own breeds first unless A-Z is requested', async ({ db, id }) => {
  await dog(db, GALGO, { owner_id: id })
  await dog(db, BEAGLE, { owner_id: id })
  const newest = await dog(db, BEAGLE, { discoverer_id: id })
  await dog(db, 'Pug', {})
  const shared = { href: '/perfil?tab=razas', dataDir: '/nowhere' }
  const open = (query: string, isOwn = false) =>
    loadMemberAlbum(db, { userId: id, isOwn, ...shared, params: new URLSearchParams(query) })
  const { album, base } = await open('tab=razas')
  assert.equal([album.discovered, album.dogs, base], [2, 3, '/perfil?tab=razas&orden=az'])
  assert.equal(pick(album.slots.slice(0, 3), 'slug', 'count'), [
    ['beagle', 2],
    ['galgo-espanol', 1],
    [album.slots[2]!.slug, 0],
  ])
  assert.is(album.slots[0]!.photos[0], (await rowOf(db, 'dogs_all', { id: newest })).photo_url)
  assert.is((await open('tab=razas&orden=az')).album.query.order, 'az')
  // One's own begins with the newest sticker.
  await dog(db, GALGO, { owner_id: id })
  const own = await open('tab=razas', true)
  assert.equal(pluck(own.album.slots.slice(0, 2), 'slug'), ['galgo-espanol', 'beagle'])
  assert.is(own.badges, null)
  const last = await open(`tab=razas&pagina=${own.album.pages + 1}`, true)
  assert.ok(last.badges?.some(({ title }) => title === 'La primera de su raza'))
  assert.is((await open(`tab=razas&pagina=${own.album.pages + 1}`)).badges, null)
  assert.is((await open('tab=razas&orden=az&orden=estado')).album.query.order, 'status')
  assert.equal(pluck((await open('tab=razas&orden=az&buscar=GALGO ESPANOL')).album.slots, 'slug'), ['galgo-espanol'])
  assert.is(await load(db, id, 'tab=razas').then((data) => data!.tab), 'razas')
})

page('the likes tab shows the dogs the member likes', async ({ db, id }) => {
  const liked = await dog(db, BEAGLE, {})
  await dog(db, GALGO, {})
  await insert(db, 'dog_likes_all', { id: randomUUID(), dog_id: liked, user_id: id, created_at: at })
  const data = (await load(db, id, 'tab=likes'))!
  assert.equal(pluck(data.dogs, 'id'), [liked])
  assert.is(data.member.likes, 1)
})

page('dogs and liked dogs come in pages, each once, the latest first', async ({ db, id }) => {
  const all: string[] = []
  for (let n = 0; n < 50; n++) {
    const liked = await dog(db, BEAGLE, { owner_id: id })
    all.unshift(liked)
    // Two by two in the same millisecond: the order must still be one.
    const created_at = at - (n % 2) * 1000
    await insert(db, 'dog_likes_all', { id: randomUUID(), dog_id: liked, user_id: id, created_at })
  }
  for (const tab of ['perros', 'likes']) {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 10; pages++) {
      const query: URLSearchParams = new URLSearchParams({ tab, ...(cursor && { cursor }) })
      const data: ProfileData = (await load(db, id, query.toString()))!
      assert.ok(data.dogs.length <= 24)
      seen.push(...data.dogs.map((each) => each.id))
      cursor = data.nextCursor
    }
    assert.is(seen.length, 50, tab)
    assert.equal(new Set(seen), new Set(all), tab)
    if (tab === 'perros') assert.equal(seen, all)
  }
})

page('a truncated address shows the first page', async ({ db, id }) => {
  await dog(db, BEAGLE, { owner_id: id })
  assert.is((await load(db, id, 'cursor=roto'))!.dogs.length, 1)
  assert.is((await load(db, id, 'tab=otra'))!.tab, 'perros')
})

page('«Miembro desde» uses the Madrid calendar, and is 2024 without a date', () => {
  assert.is(memberSince(Date.UTC(2025, 11, 31, 23, 30)), 'Miembro desde 2026')
  assert.is(memberSince(0), 'Miembro desde 2024')
  assert.is(parseProfileTab('razas'), 'razas')
})

page('the fan shows three of its photos, and each is shown in turn', () => {
  const places = (step: number) => Array.from({ length: 8 }, (_, i) => carouselPosition(i, 8, step))
  assert.equal(places(0), [1, 2, 3, 0, 0, 0, 0, 0])
  assert.equal(places(1), [0, 1, 2, 3, 0, 0, 0, 0])
  assert.equal(places(7), [2, 3, 0, 0, 0, 0, 0, 1])
  assert.equal(places(8), places(0))
  assert.equal([carouselPosition(0, 2, 1), carouselPosition(1, 2, 1)], [2, 1])
})
