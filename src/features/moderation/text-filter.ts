import { seenLetters } from '#lib/text/confusables.ts'
import { foldText } from '#lib/text/text.ts'

/** Why a text is looked at before others read it. */
export type TextFlag = 'venta' | 'insultos'

export const TEXT_FLAG_REASONS: Record<TextFlag, string> = {
  venta: 'Parece un anuncio de venta.',
  insultos: 'Parece un insulto.',
}

/** Signs that stand for letters. 1 is either of two (`withoutL`). */
const LEET_LETTERS: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
}

/** Lower case, no accents, no letters of other scripts that pass for ours, nothing invisible, «heeey» as «hey». */
const normalizeText = (text: string): string =>
  foldText(seenLetters(text.replace(/[\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/gu, '')))
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/\s+/g, ' ')

/** With digits that stand for letters inside words («v3nd0») and letters set apart («v e n d o») read as meant. */
const decodeObfuscation = (text: string): string =>
  text
    .replace(/[a-z0-9@$]+/g, (word) =>
      /[a-z]/.test(word) && !/^\d+(?:kg|g|m|cm|km|h|a|eur|euros?)$/.test(word)
        ? word.replace(/[013-9@$]/g, (sign) => LEET_LETTERS[sign]!)
        : word,
    )
    .replace(/(?<![a-z0-9])[a-z](?:[ ._*-]+[a-z](?![a-z0-9])){3,}/g, (letters) => letters.replace(/[^a-z]/g, ''))

/** With every «l» as «i»: a 1 stands for either («gi1ipo11as»), and texts and patterns that are both written so meet. */
const withoutL = (text: string): string => text.replaceAll('l', 'i')

const word = (source: string) => new RegExp(`(?<![a-z0-9])(?:${source})(?![a-z0-9])`)

/** Selling, unless somebody says that they do not. «Venta de Baños» and «Venta del Moro» are towns. */
const SALE_PATTERNS = [
  word('(?<!no )se ?venden?'),
  word('(?<!no esta )(?<!no estan )en venta(?! del? )'),
  word('(?<!no esta )(?<!no estan )a la venta'),
  word('(?<!no )(?<!no l[oa]s? )vend(?:o|emos)'),
  word('en venta del? (?:cachorros?|camadas?|perros?)'),
  word(
    '(?:camadas?|cachorr[oa]s|cachorrit[oa]s) (?:ya )?(?:disponibles?|en venta|a la venta|con pedigri?|para reservar)',
  ),
  word('disponibles? (?:la )?(?:camadas?|cachorr[oa]s|cachorrit[oa]s)'),
  word('reserv(?:a|e|ad|en) (?:ya )?(?:tu|su|vuestr[oa]) (?:cachorr|camada)[a-z]*'),
  word('precio (?:a convenir|negociable|economico|especial|de amigo|por privado|al privado)'),
  word('(?:servicio de|para|se ofrece para) montas?(?! a caballo)'),
  word('criadero(?:s)? (?:vende|ofrece)'),
]

/** Of a longer row of digits its end is an amount, too: unbounded, each digit of a long one would read the rest of it. */
const AMOUNT = String.raw`\d[\d.,]{0,20}`
/** Blanks are single here (`bare`). */
const MONEY = `(?:${AMOUNT} ?(?:€|eur(?:os?)?(?![a-z]))|€ ?${AMOUNT})`
const PRICE_PATTERN = new RegExp(`${MONEY}|(?<![a-z])precio ?(?:es|de|:|-)? ?(?:de )?\\d`, 'g')
/** What an amount of money may be told of without anything being sold. */
const EXPENSE_WORDS =
  /veterinari|vacuna|pienso|comida|comi|come |operac|operar|cirug|tratamiento|medic|adopcion|donac|donar|donativo|recaud|multa|premio|gast|collar|arnes|correa|juguete|cama |peluquer|seguro|microchip|chip|protectora/

/** Words that nobody means kindly. Not here: what is also a dog, a coat or a name («perra», «negro», «zorra», «moro»). */
const SLUR_PATTERN = word(
  [
    'put[ao]s?',
    'hij[oa]s? de (?:la gran )?(?:puta|perra)',
    'hij[oa]puta',
    'hdp',
    'gilipollas',
    'cabron(?:a|es|as)?',
    'maric(?:on|ones|a|as)',
    'bollera',
    'travelo',
    'subnormal(?:es)?',
    'retrasad[oa]s? mental(?:es)?',
    'mongolic[oa]s?',
    'sudacas?',
    'negratas?',
    'panchit[oa]s?',
    '(?:negr|mor|gitan|judi|chin)[oa]s? de mierda',
    'puercos? (?:moros?|negros?|gitanos?|judios?)',
    'heil hitler',
    'arriba hitler',
    'matate',
    'te voy a matar',
    'ojala te mueras',
  ].join('|'),
)
/** Said in praise or in passing. */
const HARMLESS_PHRASES = /(?<![a-z])(?:de puta madre|put[ao] am[ao]|ni puta idea|puta vida|de la puta)(?![a-z])/g

const [SALE_WITHOUT_L, [SLUR_WITHOUT_L, HARMLESS_WITHOUT_L]] = [SALE_PATTERNS, [SLUR_PATTERN, HARMLESS_PHRASES]].map(
  (patterns) => patterns.map(({ source, flags }) => new RegExp(withoutL(source), flags)),
) as [RegExp[], [RegExp, RegExp]]

const offersSale = (text: string, patterns = SALE_PATTERNS) => patterns.some((pattern) => pattern.test(text))
const insults = (text: string, slur = SLUR_PATTERN, harmless = HARMLESS_PHRASES) =>
  slur.test(text.replace(harmless, ' '))

/**
 * What speaks against showing a text at once, if anything does: an offer of sale or a slur, however it is spelt. It errs
 * now and then on either side, so nothing is refused for it: a person looks.
 */
export function findTextFlag(...texts: (string | null | undefined)[]): TextFlag | null {
  for (const text of texts) {
    if (!text) continue
    const plain = normalizeText(text)
    const read = decodeObfuscation(plain)
    // Only where a 1 is, since «l» and «i» are two letters to whoever writes no digits.
    const either = plain.includes('1') ? withoutL(read) : null
    if (offersSale(read) || offersSale(plain) || hasSalePrice(plain)) return 'venta'
    if (either !== null && offersSale(either, SALE_WITHOUT_L)) return 'venta'
    if (insults(read) || insults(plain)) return 'insultos'
    if (either !== null && insults(either, SLUR_WITHOUT_L, HARMLESS_WITHOUT_L)) return 'insultos'
  }
  return null
}

/** An amount that is not said to have been spent. */
const hasSalePrice = (text: string): boolean =>
  [...text.matchAll(PRICE_PATTERN)].some(({ index, 0: amount }) => {
    const around = text.slice(Math.max(0, index - 50), index + amount.length + 40)
    return !EXPENSE_WORDS.test(around)
  })
