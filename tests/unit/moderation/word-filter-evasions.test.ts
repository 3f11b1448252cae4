import { findTextFlag } from '#features/moderation/text-filter.ts'
import { FILTER_SENTENCES } from '#tests/support/moderation/filter-sentences.ts'
import { assertNone, suite } from '#tests/support/suites.ts'

// What the word filter makes of words that are written so that a filter misses them.

const evasions = suite('unit/moderation/word-filter-evasions')

/** Between the letters of a word, as people spell it out. */
const SEPARATORS = [...'/|,.-_*+~·•\n \u00A0—✨', '  ', ' . ', ' / ', ', ', ' 🐶 ', ')(']
const SALE_WORDS = ['vendo', 'vendemos', 'sevende']
const SLUR_WORDS = ['puta', 'cabron', 'gilipollas', 'maricon']
evasions('a word spelled letter by letter is detected, whatever separates the letters', () => {
  for (const word of [...SALE_WORDS, ...SLUR_WORDS])
    for (const separator of SEPARATORS) {
      const spelled = [...word].join(separator)
      const texts = [spelled, spelled.toUpperCase(), `Hola, ${spelled} cachorros`, `y ${spelled} a`, `${spelled}.`]
      assertNone(texts, (text) => findTextFlag(text) !== (SALE_WORDS.includes(word) ? 'venta' : 'insultos'))
    }
})

evasions('two words, letters in uneven groups, and digits among them are detected', () => {
  const sales = [
    's/e v/e/n/d/e',
    's e  v e n d e',
    'S.E. V.E.N.D.E.',
    'v 3 n d 0',
    'v-3-n-d-0',
    'e/n v/e/n/t/a',
    'v e n d 0 cachorros',
  ]
  const slurs = ['h/i/j/o d/e p/u/t/a', 'e r e s p u t a', 'p 4 ( t 4 p u t 4', 'g 1 l i p 0 l l a s']
  assertNone(sales, (text) => findTextFlag(text) !== 'venta')
  assertNone(slurs, (text) => findTextFlag(text) !== 'insultos')
})

evasions('a word cut in two is detected as one', () => {
  const cut = (word: string, separators: readonly string[]) =>
    Array.from({ length: word.length - 1 }, (_, i) =>
      separators.map((s) => word.slice(0, i + 1) + s + word.slice(i + 1)),
    ).flat()
  const tight = ['-', '/', '_', '|', '*', '·', '--', '+']
  const sales = [
    ...cut('vendo', [...tight, '.', ' ']),
    ...cut('vendemos', tight),
    ...cut('vende', tight).map((w) => `se ${w}`),
  ]
  const slurs = [
    ...cut('puta', [...tight, '.', ' ']),
    ...cut('gilipollas', [...tight, ' ']),
    ...cut('maricon', tight),
    ...cut('cabron', [...tight, ' ']),
  ]
  assertNone(sales, (text) => findTextFlag(`${text} cachorros`) !== 'venta')
  assertNone(slurs, (text) => findTextFlag(`Eres ${text}`) !== 'insultos')
})

/** Letters of many scripts and signs that pass for those of «vendo» and «puta», as Unicode's confusables name them. */
const LOOKALIKES: Record<string, string> = {
  v: '𑣀𝈍ⴸꛟ𖼈𑢠𐔝∨⋁ꓦ',
  e: 'ᥱ℮ꬲҽ⋿ⴹ𑢦𑢮𐊆ҿеɛ',
  n: 'ռ𐔓𐆎Ɲᵰոɳ',
  d: 'ᑯꓒƌƉ₫ԁɖ',
  o: 'ᴑꬽσഠဝ𑣈〇ⵔ𐊒𐊫ⵁǾɵөθоօ',
  p: '⍴𐊕ƥᵽрρ',
  u: 'ꞟꭎ𑣘∪⋃ሀ𖽂𑢸ᵾʊƱυ',
  t: '⊤⟙🝨𖼊𑢼𐊗𐊱ȾƮτ',
  a: '⍺𖽀𐊠аɑ@4ª',
}
evasions('every confusable letter is read as its Latin one', () => {
  const drawn = (word: string) =>
    [...word].flatMap((letter, i) =>
      [...(LOOKALIKES[letter] ?? '')].map((shape) => word.slice(0, i) + shape + word.slice(i + 1)),
    )
  assertNone(drawn('vendo'), (text) => findTextFlag(`${text} cachorros`) !== 'venta')
  assertNone(drawn('puta'), (text) => findTextFlag(`Eres una ${text}`) !== 'insultos')
})

evasions('digits, stars, doubled letters and prices in slang are detected', () => {
  assertNone(FILTER_SENTENCES['sale offers in disguise']!, (text) => findTextFlag(text) !== 'venta')
  assertNone(FILTER_SENTENCES['slurs in disguise']!, (text) => findTextFlag(`Eres un ${text}`) !== 'insultos')
})
