import { readAlbum } from '#features/album/album.server.ts'
import { albumHref, type AlbumQuery, readAlbumQuery, roleLabel } from '#features/album/album.ts'
import { compareAlbums, readMissingAlbum } from '#features/album/compared-albums.server.ts'
import { assert, type Db, dbSuite, dog, member, seed } from '#tests/support/suites.ts'

const OWN: AlbumQuery = { mode: 'user', role: 'all', search: '', order: 'az', view: 'album', page: 1 }
const NO_DATA = '/no/hay/carpeta'
const roles = dbSuite('unit/album/album-roles: role filter')
const names = (album: { slots: { name: string }[] }) => album.slots.map((slot) => slot.name)

/** A member who owns a beagle and a teckel, and discovered a whippet and another teckel. */
async function seedAna(db: Db) {
  const [ana] = await seed(db, member({ alias: 'Ana' }), dog({ breed: 'Beagle' }), dog({ breed: 'Teckel' }))
  const [walked, teckel] = await seed(
    db,
    dog({ breed: 'Whippet', discoverer_id: ana.id }),
    dog({ breed: 'Teckel', discoverer_id: ana.id, created_at: 5 }),
  )
  return { ana, walked, teckel }
}

roles('the album holds both roles by default, and says how many breeds each has', async ({ db }) => {
  const { ana } = await seedAna(db)
  const all = await readAlbum(db, OWN, { userId: ana.id })
  assert.equal([all.found, all.discovered, all.dogs], [441, 3, 4])
  assert.equal(all.roles, { all: 3, owned: 2, discovered: 2 })
})

roles('a role has the breeds of its dogs alone, with their photos and counts', async ({ db }) => {
  const { ana, teckel } = await seedAna(db)
  const owned = await readAlbum(db, { ...OWN, role: 'owned' }, { userId: ana.id })
  assert.equal(names(owned), ['Beagle', 'Teckel'])
  const discovered = await readAlbum(db, { ...OWN, role: 'discovered' }, { userId: ana.id })
  assert.equal(names(discovered), ['Teckel', 'Whippet'])
  assert.equal([discovered.slots[0]!.count, discovered.slots[0]!.photos], [1, [teckel.photo_url]])
  // The figures of the whole album stay.
  assert.equal([discovered.discovered, discovered.dogs, discovered.found], [3, 4, 2])
  assert.equal(names(await readAlbum(db, { ...OWN, role: 'owned', search: 'teckel' }, { userId: ana.id })), ['Teckel'])
})

roles('a dog of both roles is in both', async ({ db }) => {
  const [ana] = await seed(db, member())
  await seed(db, dog({ breed: 'Beagle', owner_id: ana.id, discoverer_id: ana.id }))
  const { roles: counts, dogs } = await readAlbum(db, OWN, { userId: ana.id })
  assert.equal([counts, dogs], [{ all: 1, owned: 1, discovered: 1 }, 1])
})

roles('the community’s album and a visitor’s have no roles', async ({ db }) => {
  await seedAna(db)
  for (const owner of ['everyone', 'visitor'] as const) {
    const album = await readAlbum(db, { ...OWN, role: 'owned' }, owner)
    assert.equal([album.roles, album.query.role, album.found], [null, 'all', 441])
  }
})

roles('the filter is in the address', () => {
  assert.is(albumHref('/?tab=mine', { ...OWN, mode: 'community', role: 'discovered' }), '/?tab=mine&album=descubiertos')
  assert.is(readAlbumQuery(new URLSearchParams('album=mios')).role, 'owned')
})

roles('another’s dogs are not called one’s own', () => {
  assert.equal([roleLabel('owned', true), roleLabel('owned', false)], ['Míos', 'Suyos'])
  assert.equal([roleLabel('all', false), roleLabel('discovered', false)], ['Todos', 'Descubiertos'])
})

const compared = dbSuite('unit/album/album-roles: comparison')

compared('each side has the breeds that one has and the other lacks', async ({ db }) => {
  const { ana } = await seedAna(db)
  const [luis, galgo] = await seed(db, member(), dog({ breed: 'Galgo español' }), dog({ breed: 'Beagle' }))
  const mine = await compareAlbums(db, luis.id, ana.id, new URLSearchParams('lado=le-falta'), NO_DATA)
  assert.equal([names(mine.album), mine.counts], [['Galgo español'], { mine: 1, theirs: 2 }])
  assert.equal(mine.album.slots[0]!.photos, [galgo.photo_url])
  const theirs = await compareAlbums(db, luis.id, ana.id, new URLSearchParams('album=mios'), NO_DATA)
  assert.equal([names(theirs.album), theirs.album.roles], [['Teckel', 'Whippet'], null])
  assert.is(theirs.base, `/usuario/${ana.id}?tab=comparar&lado=me-falta`)
})

compared('what a member lacks is every other breed, as empty places', async ({ db }) => {
  const { ana } = await seedAna(db)
  const missing = await readMissingAlbum(db, ana.id, new URLSearchParams('pagina=2'), NO_DATA)
  assert.equal([missing.found, missing.page, missing.slots.length], [438, 2, 24])
  assert.ok(missing.slots.every(({ count, photos }) => count === 0 && photos.length === 0))
  assert.not.ok(
    names(await readMissingAlbum(db, ana.id, new URLSearchParams('buscar=beagle'), NO_DATA)).includes('Beagle'),
  )
})
