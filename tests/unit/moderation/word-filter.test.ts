import { findTextFlag } from '#features/moderation/text-filter.ts'
import { FILTER_SENTENCES } from '#tests/support/moderation/filter-sentences.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const words = suite('unit/moderation/word-filter')

words('sale offers are flagged, however they are spelt', () => {
  const drawn = ['se\u200B vende', 'ven\u115Fdo cachorros', 'ᴠᴇɴᴅᴏ cachorros', 'vendօ cachorros']
  assertNone([...FILTER_SENTENCES['sale offers']!, ...drawn], (text) => findTextFlag(text) !== 'venta')
})
words('slurs are flagged, however they are spelt', () => {
  assertNone(FILTER_SENTENCES.slurs!, (text) => findTextFlag(text) !== 'insultos')
})
/** «VENDO» and «PUTA» as they are drawn in each script, whole or as far as its letters go. */
const DRAWN: Record<string, [sale: string, slur: string]> = {
  lisu: ['\uA4E6\uA4F0\uA4E0\uA4D3\uA4F3', '\uA4D1\uA4F4\uA4D4\uA4EE'],
  cherokee: ['\u13D9\u13ACn\u13A0o', '\u13E2u\u13A2\u13AA'],
  'small cherokee': ['\uABA9\uAB7Cn\uAB70o', '\uABB2u\uAB72\uAB7A'],
  coptic: ['v\u2C88\u2C9Ad\u2C9E', '\u2CA2u\u2CA6\u2C80'],
  armenian: ['ve\u0578d\u0585', '\u0584\u057Dta'],
  syllabics: ['\u142FE\u144E\u15EAO', '\u146D\u144CT\u15E9'],
  'old italic': ['\u{10316}\u{10304}\u{1030D}d\u{1030F}', '\u{10310}u\u{10315}\u{10300}'],
  deseret: ['vend\u{1042C}', 'hij\u{1042C} de puta'],
  osage: ['vend\u{104EA}', 'p\u{104F6}ta'],
  'full width': ['\uFF36\uFF25\uFF2E\uFF24\uFF2F', '\uFF30\uFF35\uFF34\uFF21'],
  mathematical: ['\u{1D415}\u{1D404}\u{1D40D}\u{1D403}\u{1D40E}', '\u{1D5E3}\u{1D5E8}\u{1D5E7}\u{1D5D4}'],
  circled: ['\u24CB\u24BA\u24C3\u24B9\u24C4', '\u24C5\u24CA\u24C9\u24B6'],
  'dark circles': ['\u{1F165}\u{1F154}\u{1F15D}\u{1F153}\u{1F15E}', '\u{1F15F}\u{1F164}\u{1F163}\u{1F150}'],
  'dark squares': ['\u{1F185}\u{1F174}\u{1F17D}\u{1F173}\u{1F17E}', '\u{1F17F}\u{1F184}\u{1F183}\u{1F170}'],
  'letters of flags': ['\u{1F1FB}\u{1F1EA}\u{1F1F3}\u{1F1E9}\u{1F1F4}', '\u{1F1F5}\u{1F1FA}\u{1F1F9}\u{1F1E6}'],
  phonetic: ['v\u025B\u0273\u0256o', 'pu\u0288\u0251'],
  money: ['v\u0246\u20A6do', '\u20B1\u0244\u20AE\u20B3'],
  greek: ['\u03BD\u03B5n\u0501\u03BF', '\u03C1\u03C5\u03C4\u03B1'],
}
words('confusable letters of every script are read as Latin ones', () => {
  for (const [script, [sale, slur]] of Object.entries(DRAWN)) {
    const flags = [findTextFlag(`${sale} cachorros`), findTextFlag(`Eres una ${slur}`)]
    assert.equal(flags, ['venta', 'insultos'], script)
  }
})

words('ordinary texts about dogs are not flagged', () => {
  assertNone(['', ...FILTER_SENTENCES['ordinary texts']!], (text) => findTextFlag(text) !== null)
})
words('the first flagged text of several decides', () => {
  assert.is(findTextFlag('Toby', null, 'Se vende'), 'venta')
  assert.is(findTextFlag(undefined, null, ''), null)
})
words('a text of the maximum length is read to its end', () => {
  const long = `${'v e n d '.repeat(900)}${'se se se '.repeat(900)}${'3'.repeat(900)}`
  assert.is(findTextFlag(long), null)
  assert.is(findTextFlag(`${long} 300 €`), 'venta')
})
