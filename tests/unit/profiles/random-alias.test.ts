import { findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { loadEditDraft } from '#features/profiles/edit/profile-draft.server.ts'
import { emojiButtonSizePx } from '#features/profiles/edit/emoji-picker.ts'
import { listAliasPairs, findFreeRandomAlias, randomAlias, randomEmoji } from '#features/profiles/edit/random-alias.ts'
import { parseEmoji } from '#features/profiles/emoji.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { countCharacters } from '#lib/text/text.ts'
import { assert, dbSuite, member, seed } from '#tests/support/suites.ts'

const random = dbSuite('unit/profiles/random-alias')

/** Always the same turn of the wheel. */
const fixed = (value: number) => () => value

random('every pair is a valid alias, also with a number, and unique', () => {
  const pairs = listAliasPairs()
  assert.ok(pairs.length > 800)
  assert.is(new Set(pairs.map(aliasKey)).size, pairs.length)
  for (const pair of pairs) {
    assert.is(findAliasProblem(pair), null, pair)
    assert.is(tidyAlias(pair), pair)
    assert.ok(countCharacters(`${pair} 99`) <= 20, pair)
  }
})

random('the adjective agrees with its noun', () => {
  const pairs = new Set(listAliasPairs())
  for (const good of [
    'Galgo Peludo',
    'Huella Peluda',
    'Nutria Curiosa',
    'Zorro Veloz',
    'Luna Veloz',
    'Oso Dormilón',
    'Loba Dormilona',
  ])
    assert.ok(pairs.has(good), good)
  for (const bad of ['Galgo Peluda', 'Huella Peludo', 'Luna Dormilón']) assert.not(pairs.has(bad), bad)
})

random('every random value gives a valid alias', () => {
  for (const value of [0, 0.25, 0.5, 0.999_999])
    for (const numbered of [false, true]) {
      assert.is(findAliasProblem(randomAlias(fixed(value), numbered)), null)
      assert.ok(parseEmoji(randomEmoji(fixed(value))))
    }
  assert.match(randomAlias(fixed(0), true), /^\S+ \S+ 10$/)
  assert.match(randomAlias(fixed(0.999_999), true), /^\S+ \S+ 99$/)
})

random('a taken alias is skipped, in the end with a number', async () => {
  const tried: string[] = []
  const free = await findFreeRandomAlias(async (alias) => {
    tried.push(alias)
    return /\d/.test(alias)
  })
  assert.is(tried.length, 4)
  assert.match(free, /\d\d$/)
  let asked = 0
  assert.ok(await findFreeRandomAlias(async () => ++asked > 100))
  assert.is(asked, 6)
})

random('the form starts with stored values, typed ones with their errors, or random ones', async ({ db }) => {
  const [ana, luis] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }))
  const draft = (query: string) => loadEditDraft(db, ana, new URLSearchParams(query))
  const saved = { alias: 'Ana', emoji: '🐶', errors: {}, message: '', open: false }
  assert.equal(await draft(''), saved)
  assert.equal(await draft('alias=Otra'), saved)
  assert.equal(await draft('editar'), { ...saved, open: true })
  assert.equal(await draft(`editar=&alias=${luis.alias}&emoji=x`), {
    alias: 'Luis',
    emoji: 'x',
    errors: { alias: 'Este alias ya está en uso.', emoji: 'Tiene que ser un solo emoji.' },
    message: '',
    open: true,
  })
  assert.is((await draft('editar=fallo&alias=Ana&emoji=🐶')).message, 'Error al guardar el perfil')
  const dice = await draft('editar=aleatorio&alias=Luis&emoji=x')
  assert.is(findAliasProblem(dice.alias), null)
  assert.ok(dice.open && dice.alias !== 'Luis' && parseEmoji(dice.emoji))
})

random('eight emojis fit a row, on small phones too, and are never larger than a finger', () => {
  for (const width of [300, 370, 392, 600]) assert.ok(emojiButtonSizePx(width) * 8 + 28 <= width)
  assert.is(emojiButtonSizePx(600), 44)
  assert.ok(emojiButtonSizePx(300) >= 24)
})
