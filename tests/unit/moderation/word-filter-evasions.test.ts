import { findTextFlag } from '#features/moderation/text-filter.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

// What the word filter makes of words that are written so that a filter misses them.

const evasions = suite('unit/moderation/word-filter-evasions')

/** Between the letters of a word, as people spell it out. */
const SEPARATORS = [
  '/',
  '|',
  ',',
  '.',
  '-',
  '_',
  '*',
  '+',
  '~',
  '·',
  '•',
  '\n',
  ' ',
  '  ',
  ' . ',
  ' / ',
  ', ',
  '✨',
  ' 🐶 ',
  '\u00A0',
  '—',
  ')(',
]
const SPELLED: [word: string, flag: string][] = [
  ['vendo', 'venta'],
  ['vendemos', 'venta'],
  ['sevende', 'venta'],
  ['puta', 'insultos'],
  ['cabron', 'insultos'],
  ['gilipollas', 'insultos'],
  ['maricon', 'insultos'],
]
evasions('a word spelled letter by letter is detected, whatever separates the letters', () => {
  const passed = SPELLED.flatMap(([word, flag]) =>
    SEPARATORS.flatMap((separator) => {
      const spelled = [...word].join(separator)
      const texts = [spelled, spelled.toUpperCase(), `Hola, ${spelled} cachorros`, `y ${spelled} a`, `${spelled}.`]
      return texts.filter((text) => findTextFlag(text) !== flag)
    }),
  )
  assert.equal(passed, [])
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

const OTHER_SALES = [
  'v3ndo',
  'vend0',
  'v€ndo',
  'v3nd0 cachorros',
  'veendo',
  'vvendo',
  'vendoo',
  'veeeendooo',
  '300 pavos',
  '300pavos',
  '1200 pavos',
  'Lo dejo por 50 pavos',
  'Vale 80 pavos',
  '300€',
  '300 €',
  '€300',
  '300 e',
  '300e',
  '300,-',
  '3 0 0 €',
  '300 EUR.',
  '300 leuros',
  '300 eurazos',
  '200 napos',
  'cien euros',
  'trescientos euros',
  'Quinientos pavos',
  'cincuenta y cinco euros',
  'bizum 300',
  'Bizum: 250',
  'bizum de 100 y es tuya',
  '300 pelas',
  'trescientos €',
]
const OTHER_SLURS = [
  'pvta',
  'put@',
  'pvt@',
  'puuta',
  'putta',
  'putaa',
  'puutaa',
  'p*ta',
  'put*',
  'pu*a',
  'p**a',
  'p#ta',
  'c*bron',
  'cabr*n',
  'mar*con',
  'gilip*llas',
  'gil!pollas',
  'mariconazo',
  'cabronazo',
  'hij0 de put4',
  'gili pollas',
  'gilip0llas',
]
evasions('digits, stars, doubled letters and prices in slang are detected', () => {
  assertNone(OTHER_SALES, (text) => findTextFlag(text) !== 'venta')
  assertNone(OTHER_SLURS, (text) => findTextFlag(`Eres un ${text}`) !== 'insultos')
})

evasions.run()
