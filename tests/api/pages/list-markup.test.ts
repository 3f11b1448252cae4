import { isStringOneByteRepresentation } from 'node:v8'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { filterOptions } from '#features/dogs/list/filter-options.ts'
import { MEMBER_SLOTS, slotMarker } from '#lib/member-slots.ts'
import { FALLBACK_EMOJI } from '#lib/text/names.ts'
import { unescapeHtml } from '#lib/text/html.ts'
import { assert, assertNone, dog, seed, serverSuite, type TestServer } from '#tests/support/suites.ts'

const CARDS = 24
/** Without the code of inline scripts, which page-weights counts. */
const MAX_RAW_BYTES = 70_000
const BEYOND_LATIN_1 = /[^\0-\xff]/

const list = serverSuite('api/pages/list-markup')
list.before(async (t) => {
  await seed(t.server.db, ...breedNames.map(({ name }) => dog({ breed: name })))
  await seed(t.server.db, ...breedNames.slice(0, CARDS).map(({ name }) => dog({ breed: name, zone: 'Madrid' })))
})

const read = async (server: TestServer, path: string) => (await fetch(server.url + path)).text()

/** Slug, name and state of each option of the breed filter. */
const breedOptions = (html: string) =>
  [
    .../<select name="breed".*?<\/select>/s
      .exec(html)![0]
      .matchAll(/<option value="?(?<slug>[a-z0-9-]*)"?(?<selected> selected="")?>(?<name>[^<]*)/g),
  ].map(({ groups }) => ({
    slug: groups!.slug!,
    name: unescapeHtml(groups!.name!),
    isSelected: groups!.selected !== undefined,
  }))

list('weighs less than 70 kB with every breed in its filter', async ({ server }) => {
  const html = await read(server, '/perros')
  assert.is(html.match(/<article class="sticker dog-card/g)!.length, CARDS)
  assert.is(html.match(/<img class="pic"/g)!.length, CARDS)
  const bytes = Buffer.byteLength(html.replace(/<script>.*?<\/script>/gs, ''))
  assert.ok(bytes < MAX_RAW_BYTES, `${bytes} bytes`)
})

for (const chosen of [null, 'xoloitzcuintle', 'cotón-de-tulear', 'no-es-raza'])
  list(`the filter names all breeds and selects what the address chooses: ${chosen}`, async ({ server }) => {
    const options = breedOptions(await read(server, chosen ? `/perros?breed=${encodeURIComponent(chosen)}` : '/perros'))
    assert.equal(
      options.map(({ slug, name }) => ({ slug, name })),
      [{ slug: '', name: 'Razas' }, ...breedNames],
    )
    const known = breedNames.some(({ slug }) => slug === chosen) ? chosen! : ''
    const selected = options.filter(({ isSelected }) => isSelected).map(({ slug }) => slug)
    // What is no slug is no filter; a slug of no breed selects nothing, and browsers then show the first option.
    assert.equal(selected, chosen === 'no-es-raza' ? [] : [known])
  })

list('the options are a string of one byte a letter, like what they are joined of', () => {
  assertNone(
    breedNames.flatMap(({ slug, name }) => [slug, name]),
    (text) => !isStringOneByteRepresentation(text),
  )
  assert.ok(isStringOneByteRepresentation(filterOptions('Razas', breedNames, null).__html))
})

list(
  'is Latin-1 unless a dog has wider letters: a string of one byte a letter while it is rendered',
  async ({ server }) => {
    const html = await read(server, '/perros')
    assert.not.match(html, BEYOND_LATIN_1)
    assert.match(html, `&#x${FALLBACK_EMOJI.codePointAt(0)!.toString(16).toUpperCase()};`)
    assertNone(MEMBER_SLOTS, (slot) => BEYOND_LATIN_1.test(slotMarker(slot)))
  },
)
