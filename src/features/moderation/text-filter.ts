import { foldText } from '#lib/text/text.ts'
import { replaceLetterShapes } from './letter-shapes.ts'

/** Why a text is reviewed before it is published. */
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

/** Folds case, accents and confusables of other scripts, drops invisible characters, and reads «heeey» as «hey». */
const normalizeText = (text: string): string =>
  foldText(replaceLetterShapes(text.replace(/[\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/gu, '')))
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/\s+/g, ' ')

/** Replaces digits inside words by the letters they stand for («v3nd0») and joins spaced letters («v e n d o»). */
const decodeObfuscation = (text: string): string =>
  text
    .replace(/[a-z0-9@$]+/g, (word) =>
      /[a-z]/.test(word) && !/^\d+(?:kg|g|m|cm|km|h|a|eur|euros?)$/.test(word)
        ? word.replace(/[013-9@$]/g, (sign) => LEET_LETTERS[sign]!)
        : word,
    )
    .replace(/(?<![a-z0-9])[a-z](?:[ ._*-]+[a-z](?![a-z0-9])){3,}/g, (letters) => letters.replace(/[^a-z]/g, ''))

/** Writes every «l» as «i»: a 1 stands for either («gi1ipo11as»). Text and pattern match once both are written so. */
const withoutL = (text: string): string => text.replaceAll('l', 'i')

const wordPattern = (source: string) => new RegExp(`(?<![a-z0-9])(?:${source})(?![a-z0-9])`)

/** Offers of sale. Negations do not match, nor do the towns «Venta de Baños» and «Venta del Moro». */
const SALE_PATTERNS = [
  wordPattern('(?<!no )se ?venden?'),
  wordPattern('(?<!no esta )(?<!no estan )en venta(?! del? )'),
  wordPattern('(?<!no esta )(?<!no estan )a la venta'),
  wordPattern('(?<!no )(?<!no l[oa]s? )vend(?:o|emos)'),
  wordPattern('en venta del? (?:cachorros?|camadas?|perros?)'),
  wordPattern(
    '(?:camadas?|cachorr[oa]s|cachorrit[oa]s) (?:ya )?(?:disponibles?|en venta|a la venta|con pedigri?|para reservar)',
  ),
  wordPattern('disponibles? (?:la )?(?:camadas?|cachorr[oa]s|cachorrit[oa]s)'),
  wordPattern('reserv(?:a|e|ad|en) (?:ya )?(?:tu|su|vuestr[oa]) (?:cachorr|camada)[a-z]*'),
  wordPattern('precio (?:a convenir|negociable|economico|especial|de amigo|por privado|al privado)'),
  wordPattern('(?:servicio de|para|se ofrece para) montas?(?! a caballo)'),
  wordPattern('criadero(?:s)? (?:vende|ofrece)'),
]

/** Bounded: on a long row of digits an unbounded match would take quadratic time. The row's end still matches. */
const AMOUNT = String.raw`\d[\d.,]{0,20}`
/** White space is already collapsed (`normalizeText`). */
const MONEY = `(?:${AMOUNT} ?(?:€|eur(?:os?)?(?![a-z]))|€ ?${AMOUNT})`
const PRICE_PATTERN = new RegExp(`${MONEY}|(?<![a-z])precio ?(?:es|de|:|-)? ?(?:de )?\\d`, 'g')
/** Words near an amount of money that make it an expense or a donation, not a price. */
const EXPENSE_WORDS =
  /veterinari|vacuna|pienso|comida|comi|come |operac|operar|cirug|tratamiento|medic|adopcion|donac|donar|donativo|recaud|multa|premio|gast|collar|arnes|correa|juguete|cama |peluquer|seguro|microchip|chip|protectora/

/** Slurs. Left out: words that also name a dog, a coat or a person («perra», «negro», «zorra», «moro»). */
const SLUR_PATTERN = wordPattern(
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
/** Phrases of praise or emphasis that hold a slur. */
const HARMLESS_PHRASES = /(?<![a-z])(?:de puta madre|put[ao] am[ao]|ni puta idea|puta vida|de la puta)(?![a-z])/g

const [SALE_WITHOUT_L, [SLUR_WITHOUT_L, HARMLESS_WITHOUT_L]] = [SALE_PATTERNS, [SLUR_PATTERN, HARMLESS_PHRASES]].map(
  (patterns) => patterns.map(({ source, flags }) => new RegExp(withoutL(source), flags)),
) as [RegExp[], [RegExp, RegExp]]

const offersSale = (text: string, patterns = SALE_PATTERNS) => patterns.some((pattern) => pattern.test(text))
const insults = (text: string, slur = SLUR_PATTERN, harmless = HARMLESS_PHRASES) =>
  slur.test(text.replace(harmless, ' '))

/**
 * Finds an offer of sale or a slur, however it is spelt; null without either. The filter has false positives and false
 * negatives, so a flagged text is not refused: the admin reviews it.
 */
export function findTextFlag(...texts: (string | null | undefined)[]): TextFlag | null {
  for (const text of texts) {
    if (!text) continue
    const normalized = normalizeText(text)
    const decoded = decodeObfuscation(normalized)
    // Only with a 1 in the text: without one «l» and «i» are different letters.
    const merged = normalized.includes('1') ? withoutL(decoded) : null
    if (offersSale(decoded) || offersSale(normalized) || hasSalePrice(normalized)) return 'venta'
    if (merged !== null && offersSale(merged, SALE_WITHOUT_L)) return 'venta'
    if (insults(decoded) || insults(normalized)) return 'insultos'
    if (merged !== null && insults(merged, SLUR_WITHOUT_L, HARMLESS_WITHOUT_L)) return 'insultos'
  }
  return null
}

/** Whether an amount of money has no expense word near it. */
const hasSalePrice = (text: string): boolean =>
  [...text.matchAll(PRICE_PATTERN)].some(({ index, 0: amount }) => {
    const around = text.slice(Math.max(0, index - 50), index + amount.length + 40)
    return !EXPENSE_WORDS.test(around)
  })
