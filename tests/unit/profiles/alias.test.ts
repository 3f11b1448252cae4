import { findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { aliasKey, KEY_SUFFIX } from '#features/profiles/profiles.ts'
import { isReservedAlias } from '#features/profiles/reserved-aliases.ts'
import { assert, suite } from '#tests/support/suites.ts'

const alias = suite('unit/profiles/alias')
const problem = (text: string) => findAliasProblem(tidyAlias(text))

alias('common Spanish names are accepted', () => {
  for (const name of [
    'Ana',
    'Mª José',
    'Iñaki_99',
    'Núria Güell',
    "L'Hospitalet",
    'Xoán-Brais',
    'Łucja',
    'Ștefan',
    'Cœur d’or',
    'Gal·la',
    '¡Ñam!',
    '¿Qué? Sí, 2.º',
    'Toby & Kira + 1',
    'Perrit4821',
  ])
    assert.is(problem(name), null, name)
})

alias('is trimmed, composed, and inner spaces become one', () => {
  assert.is(tidyAlias('  Ana \u00A0 María\u3000 '), 'Ana María')
  assert.is(tidyAlias('Begoña'.normalize('NFD')), 'Begoña'.normalize('NFC'))
})

alias('cannot be empty', () => {
  for (const text of ['', '   ', '\u00A0', '\n\t']) assert.is(problem(text), 'El alias no puede estar vacío')
})

alias('has up to 20 graphemes', () => {
  assert.is(problem('ñ'.normalize('NFD').repeat(20)), null)
  assert.is(problem('a'.repeat(20)), null)
  assert.is(problem('a'.repeat(21)), 'El alias no puede tener más de 20 caracteres.')
})

alias('control, format, bidi and zero-width characters are removed', () => {
  for (const unseen of [
    '\u0000',
    '\u0007',
    '\u001B',
    '\u0085',
    '\u00AD',
    '\u034F',
    '\u061C',
    '\u115F',
    '\u180E',
    '\u200B',
    '\u200D',
    '\u200E',
    '\u202E',
    '\u2060',
    '\u2066',
    '\u2800',
    '\u3164',
    '\uFE0F',
    '\uFEFF',
    '\uFFA0',
    '\u{E0041}',
  ]) {
    assert.is(tidyAlias(`An${unseen}a`), 'Ana', unseen.codePointAt(0)!.toString(16))
    assert.is(problem(unseen), 'El alias no puede estar vacío', unseen.codePointAt(0)!.toString(16))
  }
  assert.is(tidyAlias('Ana\u2028María'), 'Ana María')
})

alias('private and unassigned characters are refused', () => {
  for (const unseen of ['\uE000', '\u0378', '\u{10FFFF}'])
    assert.is(problem(`An${unseen}a`), 'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.')
})

alias('any letters, signs and emoji are accepted', () => {
  for (const text of [
    '字',
    'Женя',
    'محمد',
    'Ａｎａ',
    'a@b.es',
    '<b>',
    '#1',
    '...',
    'Ana 🐶',
    '🇪🇸',
    'Ana ❤️',
    '👨‍👩‍👧',
    'Vendo sonrisas',
  ])
    assert.equal([problem(text), tidyAlias(text)], [null, text.normalize('NFC')], text)
  assert.is(tidyAlias(`a${'\u0301'.repeat(9)}na`), 'á\u0301\u0301na', 'piled up marks are removed')
})

alias('half a surrogate pair is replaced, not stored', () => {
  assert.is(tidyAlias('Ana\uD83D'), 'Ana\uFFFD')
})

alias('confusable aliases are the same name', () => {
  for (const twin of [
    'ana',
    'ÁNA',
    ' Ana ',
    'Аnа',
    'Αna',
    'Ａｎａ',
    '𝓐𝓷𝓪',
    'ⓐⓝⓐ',
    'ꓮna',
    '#Ana',
    'Ana'.normalize('NFD'),
  ])
    assert.is(aliasKey(twin), 'ana', twin)
  assert.is(aliasKey('Ana  María'), aliasKey('Ana María'))
  assert.is(aliasKey('Øscar'), aliasKey('Oscar'))
  assert.is(aliasKey('Cœur d’or'), aliasKey("Coeur d'or"))
  assert.is.not(aliasKey('Ana'), aliasKey('Ana María'))
  assert.is.not(aliasKey('Ana3'), aliasKey('Ana2'))
})

alias('aliases of letters and digits that look alike are the same', () => {
  for (const twins of [
    ['Pilar', 'PiIar', 'Pi1ar', 'PILAR', 'Pllar', 'P!lar', 'P¡lar', 'pılar', 'Piŀar'],
    ['Olalla', '0lalla', 'OIaIIa', 'O1a11a', 'olaiia', 'OLALLA'],
    ['Iván', 'lvan', '1van', '!van'],
    ['Mari', 'Marl', 'Mar1', 'Mar¡'],
    ['Carmen', 'Carrnen', 'CARMEN'],
    ['Willy', 'VVilly', 'VVi11y', 'vviIIy'],
    ['Perrit10', 'PerritlO', 'Perritio'],
  ])
    assert.is(new Set(twins.map(aliasKey)).size, 1, twins.map(aliasKey).join(' '))
})

alias('spaces and signs make no other alias', () => {
  for (const twins of [
    ['Àlex', 'Alex.', 'Àlex·', "Àlex'", 'Alex!', '¡Àlex!', '¿Alex?', '_Alex_', '- Alex -', 'A.l.e.x', '+Alex'],
    ['María José', 'Mariajose', 'maria_jose', 'María-José', 'MARÍA  JOSÉ', 'María, José'],
    ["O'Neil", 'O’Neil', 'ONeil', 'O Neil'],
    ['Toby & Kira', 'Toby Kira', 'Toby+Kira'],
  ])
    assert.is(new Set(twins.map(aliasKey)).size, 1, twins.map(aliasKey).join(' '))
})

alias('common names that differ in a letter stay different', () => {
  const names =
    'Ana Anna Eva Iván Juan Joan Jon José Josefa Luis Luisa Lucas Lucía Mar María Mario Marina Marta Nerea Noa Núria Olga Oriol Peña Pablo Paula Rocío Rosa Sara Sofía Uxía Xoán Íñigo Ñaño Begoña Muñoz'.split(
      ' ',
    )
  assert.is(new Set(names.map(aliasKey)).size, names.length)
})

alias('the key of an alias begins with the key of its beginning', () => {
  for (const name of ['Carmen Ruiz', 'P!lar', '¡Hola, Iván!', 'Willy 100', 'María José', "O'Neil", 'Gal·la'])
    for (let length = 1; length <= name.length; length++) {
      const start = name.slice(0, length)
      if (/[a-z]/i.test(start)) assert.ok(aliasKey(name).startsWith(aliasKey(start)), start)
    }
})

alias('no key is empty or holds the sign of its suffix', () => {
  for (const text of ['-', '.', '¡!', '·', 'Ana', 'Ana#1', '字', '🐶'])
    assert.ok(aliasKey(text) !== '' && !aliasKey(text).includes(KEY_SUFFIX), text)
})

alias('only a name of the site or of those who run it is reserved, however spelt, and not as a part', () => {
  const reserved = [
    'Perrario',
    'PerrarIo',
    'P.e.r.r.a.r.i.o',
    'Equipo Perrario',
    'Admin',
    'Adrnin',
    'ÁDMIN',
    'S0porte',
    'Moderadora',
  ]
  for (const text of reserved) assert.is(isReservedAlias(text), true, text)
  const free = [
    'Perrario Madrid',
    'El de Perrario',
    'El admin',
    'Admin 2',
    'Usuario',
    'Alguien',
    'Mario',
    'Soporte vital',
    'Perrita',
  ]
  for (const text of free) assert.is(isReservedAlias(text), false, text)
})
