import sharp from 'sharp'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { findOpenCase } from '#features/lost/open-cases.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import { renderState } from '#features/photos/render/sharp.server.ts'
import { getCard, renderCard } from '#features/share/cards.server.ts'
import { dogPicture, toDogCardData, findCardData, stickerName, cardVersion } from '#features/share/card-data.server.ts'
import type { BreedCardData, DogCardData, CardData, MemberCardData, RiddleCardData } from '#features/share/share.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { phonePhoto, quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, dataSuite, dog, member, seed } from '#tests/support/suites.ts'

const ID = '3b241101-e2bb-4255-8caf-4136c566a962'
const LONG_NAME = 'Maximiliano de las Mercedes y Todos los Santos de Villaviciosa'

const TOBY: DogCardData = {
  kind: 'perro',
  name: 'Toby',
  breed: 'Beagle',
  breedSlug: 'beagle',
  age: '3 años',
  weight: '12,5 kg',
  zone: 'Jaca',
  photo: '',
  style: null,
}
const BREED: BreedCardData = {
  kind: 'raza',
  slug: 'beagle',
  name: 'Beagle',
  original: '',
  number: '045',
  facts: ['9–11 kg', '33–40 cm', '12–15 años'],
  photo: null,
}
const ANA: MemberCardData = {
  kind: 'miembro',
  alias: 'Ana',
  verified: true,
  since: 'Miembro desde 2026',
  counters: [
    ['Perros', '12'],
    ['Razas', '7/441'],
    ['Likes', '1.240'],
  ],
  photos: [],
}

const RIDDLE: RiddleCardData = {
  kind: 'reto',
  number: 26,
  date: '26 de noviembre de 2026',
  guesses: 3,
  isWon: true,
  result: 'Acertada en 3 de 6 intentos',
}

const cards = dataSuite('unit/share/cards')

const CARD_LINKS: [what: string, face: CardData][] = [
  ['a dog', TOBY],
  ['a dog of whom hardly anything is known', { ...TOBY, age: null, weight: null, zone: null, breedSlug: 'nada' }],
  [
    'a platinum dog with long words',
    { ...TOBY, style: 'platinum', name: LONG_NAME, breed: LONG_NAME, zone: LONG_NAME },
  ],
  ['a holo dog', { ...TOBY, style: 'holo' }],
  ['a dog in one endless word', { ...TOBY, name: 'W'.repeat(300) }],
  ['a dog named in emojis', { ...TOBY, name: '🐶' }],
  ['a dog in another script', { ...TOBY, name: 'Собака', breed: '犬', zone: '東京' }],
  ['a breed', BREED],
  ['a breed of many words', { ...BREED, name: LONG_NAME, original: LONG_NAME }],
  ['a member without dogs', ANA],
  [
    'a member of whom everything is large',
    {
      ...ANA,
      alias: 'W'.repeat(20),
      counters: [
        ['Perros', '1.234.567'],
        ['Razas', '441/441'],
        ['Likes', '1.234.567'],
      ],
      photos: [1, 2, 3].map(() => ({ photo: '', breedSlug: 'beagle' })),
    },
  ],
  ['a member named in emojis', { ...ANA, alias: '🐶' }],
  ['the site', { kind: 'sitio' }],
  ['a lost dog', { ...TOBY, lost: { zone: 'Jaca', since: '25 nov 2026' } }],
  [
    'a lost dog with long names',
    { ...TOBY, name: LONG_NAME, style: 'holo', lost: { zone: LONG_NAME, since: '25 nov 2026' } },
  ],
  ['the lost dogs', { kind: 'sitio', isLost: true }],
  ['a riddle that was solved', RIDDLE],
  ['a riddle that was not', { ...RIDDLE, number: 12_345, date: '30 de septiembre de 2060', guesses: 6, isWon: false }],
]

/** The figures of a part of a picture: sharp's own would be those of the whole. */
async function statsOf(jpeg: Buffer, part: { left: number; top: number; width: number; height: number }) {
  return (await sharp(await sharp(jpeg).extract(part).png().toBuffer()).stats()).channels
}

/** Whether something else than paper stands in the columns from `left` to `right`. */
async function hasInk(jpeg: Buffer, left: number, right: number, top = 0): Promise<boolean> {
  const channels = await statsOf(jpeg, { left, top, width: right - left, height: 630 - top })
  return channels.some(({ min }) => min < 170)
}

for (const [what, face] of CARD_LINKS)
  cards(`renders ${what}: 1200 x 630, under 150 kB, nothing over the right edge`, async ({ dir }) => {
    const jpeg = await renderCard(face, dir)
    const { format, width, height } = await sharp(jpeg).metadata()
    assert.equal([format, width, height], ['jpeg', 1200, 630])
    assert.ok(jpeg.length < 150_000, `${jpeg.length} bytes`)
    // The band of lost dogs is red from edge to edge.
    const top = 'lost' in face || 'isLost' in face ? 110 : 0
    assert.is(await hasInk(jpeg, 1160, 1200, top), false)
    assert.is(await hasInk(jpeg, 610, 1150), true)
  })

cards('a photo with much detail stays within the size limit', async ({ dir }) => {
  const { url } = await storePhoto(dir, ID, await preparePhoto(await phonePhoto(1600, 1200)))
  assert.ok((await renderCard({ ...TOBY, photo: url }, dir)).length < 150_000)
  const jpeg = await renderCard({ ...TOBY, kind: 'cromo', style: 'holo', photo: url }, dir)
  const { width, height } = await sharp(jpeg).metadata()
  assert.equal([width, height], [864, 1080])
  assert.ok(jpeg.length < 500_000, `${jpeg.length} bytes`)
})

cards('shows the photo itself, or the portrait if it is missing', async ({ dir }) => {
  const { url } = await storePhoto(dir, ID, await preparePhoto(await quarteredPicture(800, 800).jpeg().toBuffer()))
  const upperLeft = async (photo: string) => {
    const jpeg = await renderCard({ ...TOBY, photo }, dir)
    const spot = await statsOf(jpeg, { left: 180, top: 180, width: 20, height: 20 })
    return spot.map(({ mean }) => Math.round(mean / 64))
  }
  assert.equal(await upperLeft(url), [4, 0, 0])
  const portrait = await upperLeft('')
  assert.not.equal(portrait, [4, 0, 0])
  assert.equal(await upperLeft(`/photos/${ID}_1700000000000_00000000.jpg`), portrait)
  assert.equal(await upperLeft('/photos/../perrario.db'), portrait)
})

cards('holo, platinum and plain edges differ', async ({ dir }) => {
  const edge = async (style: DogCardData['style']) => {
    const jpeg = await renderCard({ ...TOBY, kind: 'cromo', style }, dir)
    return statsOf(jpeg, { left: 84, top: 400, width: 14, height: 200 })
  }
  const [plain, holo, platinum] = [await edge(null), await edge('holo'), await edge('platinum')]
  assert.ok(plain.every(({ mean }) => mean > 250))
  const tint = holo.map(({ mean }) => mean)
  assert.ok(Math.max(...tint) - Math.min(...tint) > 10, tint.join(' '))
  const grey = platinum.map(({ mean }) => mean)
  assert.ok(Math.max(...grey) - Math.min(...grey) < 10, grey.join(' '))
  // Brushed: its strokes differ, where paper is the same all over.
  assert.ok(platinum[0]!.stdev > 3 && plain[0]!.stdev < 2, `${platinum[0]!.stdev} and ${plain[0]!.stdev}`)
})

cards('the version changes with each shown value, and with nothing else', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog({ name: 'Toby', age: 3, age_unit: 'años', weight: 12.5, zone: 'Jaca' }))
  const before = cardVersion(toDogCardData(toby))
  assert.match(before, /^[\w-]{8}$/)
  const shown = { name: 'Tobi', breed: 'Galgo', age: 4, weight: 13, zone: 'Huesca', photo_url: '/x.jpg', card: null }
  for (const [field, value] of Object.entries(shown))
    assert.is.not(cardVersion(toDogCardData({ ...toby, [field]: value })), before, field)
  for (const [field, value] of Object.entries({ likes: 3, comments: 2, description: 'Ladra.', is_adopted: true }))
    assert.is(cardVersion(toDogCardData({ ...toby, [field]: value })), before, field)
  assert.is.not(cardVersion(toDogCardData(toby, 'cromo')), before)
  assert.is.not(cardVersion({ ...ANA, alias: 'Eva' }), cardVersion(ANA))
  assert.is.not(cardVersion({ ...BREED, photo: 'v1' }), cardVersion(BREED))
})

cards('finds the data of an address', async ({ db, dir }) => {
  const [ana, toby] = await seed(db, member({ alias: 'Ana' }), dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca' }))
  const dogs = (await findCardData(db, dir, 'perro', toby.id)) as DogCardData
  assert.equal([dogs.name, dogs.breed, dogs.zone, dogs.style], ['Toby', 'Beagle', 'Jaca', 'platinum'])
  assert.is((await findCardData(db, dir, 'cromo', toby.id))!.kind, 'cromo')
  const anas = (await findCardData(db, dir, 'miembro', ana.id)) as MemberCardData
  assert.equal(anas.counters, [
    ['Perros', '1'],
    ['Razas', '1/441'],
    ['Likes', '0'],
  ])
  assert.equal(anas.photos, [{ photo: toby.photo_url, breedSlug: 'beagle' }])
  const beagle = (await findCardData(db, dir, 'raza', 'beagle')) as BreedCardData
  assert.equal([beagle.name, beagle.original, beagle.photo], ['Beagle', '', null])
  assert.equal(await findCardData(db, dir, 'sitio', 'perrario'), { kind: 'sitio' })
  assert.equal(await findCardData(db, dir, 'sitio', 'perdidos'), { kind: 'sitio', isLost: true })
})

cards(
  'a dog is wanted on its link preview while its case is open, in red, and not on its sticker',
  async ({ db, dir }) => {
    const [, toby] = await seed(db, member(), dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca' }))
    const isRed = async (data: CardData) => {
      const [red, green] = await statsOf(await renderCard(data, dir), { left: 600, top: 4, width: 100, height: 8 })
      return red!.mean > 180 && green!.mean < 80
    }
    const before = (await findCardData(db, dir, 'perro', toby.id))!
    assert.is(await isRed(before), false)
    await insertLostCase(db, toby, { zone: 'Sabiñánigo', since: Date.parse('2026-11-25T12:00:00Z') })
    const lost = (await findCardData(db, dir, 'perro', toby.id)) as DogCardData
    assert.equal(lost.lost, { zone: 'Sabiñánigo', since: '25 nov 2026' })
    assert.is(await isRed(lost), true)
    assert.is.not(cardVersion(lost), cardVersion(before))
    assert.is(((await findCardData(db, dir, 'cromo', toby.id)) as DogCardData).lost, undefined)
    const picture = dogPicture(toby, await findOpenCase(db, toby.id))
    assert.is(picture.url, `/tarjetas/perro/${toby.id}.jpg?v=${cardVersion(lost)}`)
    assert.is(picture.alt, 'Se busca a Toby, Beagle, en Sabiñánigo')
    await db.deleteFrom('lost_cases').execute()
    assert.equal(await findCardData(db, dir, 'perro', toby.id), before)
  },
)

cards('an unknown target has no card', async ({ db, dir }) => {
  for (const kind of ['perro', 'cromo', 'miembro', 'raza', 'sitio'] as const)
    for (const name of [UNKNOWN_ID, 'x', '', '../perrario.db', '__proto__'])
      assert.is(await findCardData(db, dir, kind, name), undefined, `${kind} ${name}`)
})

cards('quarantined content and banned members have no card', async ({ db, dir }) => {
  const [ana, toby] = await seed(db, member(), dog({ name: 'Toby' }))
  await db.transaction().execute((trx) => hideDog(trx, toby.id, 'admin'))
  assert.is(await findCardData(db, dir, 'perro', toby.id), undefined)
  assert.is(await findCardData(db, dir, 'cromo', toby.id), undefined)
  assert.equal(((await findCardData(db, dir, 'miembro', ana.id)) as MemberCardData).photos, [])
  await ban(db, ana.id, { until: null, reason: 'Insultos' })
  assert.is(await findCardData(db, dir, 'miembro', ana.id), undefined)
})

cards('a download has a file name that is valid on every system', () => {
  assert.is(stickerName({ ...TOBY, name: 'Ñoño «el Guapo»' }), 'nono-el-guapo-beagle-perrario.jpg')
  assert.is(stickerName({ ...TOBY, name: '"\r\n🐶', breed: '犬' }), 'perro-perrario.jpg')
})

cards('simultaneous requests for a card share one rendering, and later ones its result', async ({ dir }) => {
  const face = { ...TOBY, name: 'Solo una vez' }
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => getCard(face, dir)))
  for (const other of others) assert.is(other, first)
  assert.is(await getCard(face, dir), first)
  assert.is(renderState.limiter.waiting, 0)
})
