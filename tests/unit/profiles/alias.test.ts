import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { aliasKey } from '#features/profiles/profiles.ts'

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
  assert.is(problem(`a${'\u0301'.repeat(5000)}`), 'El alias no puede tener más de 20 caracteres.')
})

alias('control, format, bidi and zero-width characters are refused', () => {
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
    '\u2028',
    '\u2060',
    '\u2066',
    '\u2800',
    '\u3164',
    '\uFE0F',
    '\uFEFF',
    '\uFFA0',
    '\uE000',
    '\u{E0041}',
  ])
    assert.is(
      problem(`An${unseen}a`),
      'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.',
      unseen.codePointAt(0)!.toString(16),
    )
})

alias('a letter that only looks Latin is refused and named in the message', () => {
  assert.is(problem('An\u0430'), '«\u0430» parece una letra latina, pero es de otro alfabeto.')
  assert.is(problem('\u0391na'), '«\u0391» parece una letra latina, pero es de otro alfabeto.')
})

alias('other alphabets, styled letters and other signs are refused', () => {
  const said = "El alias solo admite letras latinas, números, espacios y los signos - _ . , ' · & + ! ? ¡ ¿ ª º"
  for (const text of [
    '字',
    'Женя'.slice(0, 1),
    'Ａｎａ',
    '𝐀𝐧𝐚',
    'ⓐna',
    'ꓮna',
    'ſana',
    'A\u0336na',
    '<b>',
    'a@b.es',
    'a/b',
    '٣',
  ])
    assert.is(problem(text), said, text)
})

alias('an emoji is refused, because it has its own field', () => {
  for (const text of ['Ana 🐶', '🇪🇸', 'Ana ❤️', '👨‍👩‍👧'])
    assert.is(problem(text), 'El alias no puede llevar emojis: el tuyo se elige aparte.', text)
})

alias('punctuation alone is refused', () => {
  for (const text of ['...', '-', '¡!', '·']) assert.is(problem(text), 'El alias necesita alguna letra o algún número.')
})

alias('half a surrogate pair is replaced, not stored', () => {
  assert.ok(problem('Ana\uD83D'))
})

alias('confusable aliases are the same name', () => {
  for (const twin of ['ana', 'ÁNA', ' Ana ', 'Аnа', 'Αna', 'Ａｎａ', '𝓐𝓷𝓪', 'ⓐⓝⓐ', 'Ana'.normalize('NFD')])
    assert.is(aliasKey(twin), 'ana', twin)
  assert.is(aliasKey('Ana  María'), aliasKey('Ana María'))
  assert.is(aliasKey('Øscar'), aliasKey('Oscar'))
  assert.is(aliasKey('Cœur d’or'), aliasKey("Coeur d'or"))
  assert.is.not(aliasKey('Ana'), aliasKey('Ana María'))
  assert.is.not(aliasKey('Ana1'), aliasKey('Ana2'))
})

alias.run()
