import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countCharacters, cutCharacters, fold, sanitise } from '#lib/text.ts'

const text = suite('text')

text('counts what a person counts', () => {
  assert.is(countCharacters('perro'), 5)
  assert.is(countCharacters('👩‍👩‍👧‍👦🇪🇸'), 2)
  assert.is(countCharacters('año'.normalize('NFD')), 3)
})

text('never cuts an emoji in two', () => {
  assert.is(cutCharacters('ab👨‍👩‍👧cd', 3), 'ab👨‍👩‍👧')
  assert.is(cutCharacters('corto', 1000), 'corto')
})

text('sanitises as the specification says: trim, no < or >, 1000 characters', () => {
  assert.is(sanitise('  <b>Toby</b> '), 'bToby/b')
  assert.is(countCharacters(sanitise('ñ'.repeat(1200))), 1000)
})

text('folds accents and case away', () => {
  assert.is(fold('Pastor ALEMÁN'), 'pastor aleman')
  assert.is(fold('Ñandú'), 'nandu')
})

text.run()
