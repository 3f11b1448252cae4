import { foldText } from '#lib/text/text.ts'
import { replaceLetterShapes } from './letter-shapes.ts'
import { ANY_SEPARATOR, decodeObfuscation, hasStarredWord, splitWordSource, TIGHT_SEPARATOR } from './obfuscation.ts'

/** Why a text is reviewed before it is published. */
export type TextFlag = 'venta' | 'insultos'

export const TEXT_FLAG_REASONS: Record<TextFlag, string> = {
  venta: 'Parece un anuncio de venta.',
  insultos: 'Parece un insulto.',
}

/** Folds case, accents and confusables of other scripts, drops invisible characters, and reads «heeey» as «hey». */
const normalizeText = (text: string): string =>
  foldText(replaceLetterShapes(text.replace(/[\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/gu, '')))
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/\s+/g, ' ')

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
/** Offers cut in two («ven-do»). «Se ven de lejos» is none. */
const CUT_SALE = wordPattern(
  [
    `(?<!no )(?<!no l[oa]s? )${splitWordSource('vendo', ANY_SEPARATOR)}`,
    `(?<!no )(?<!no l[oa]s? )${splitWordSource('vendemos', TIGHT_SEPARATOR)}`,
    `(?<!no )se ?${splitWordSource('vende', TIGHT_SEPARATOR)}n?`,
  ].join('|'),
)
/** Bandages, which have the same verb without its accent: «se vendó la pata», «la vendó el veterinario». */
const BANDAGES =
  /(?<![a-z])vendo (?:muy )?(?:bien )?(?:(?:la|el|las|los|su|sus|una|un) )?(?:pat(?:a|ita)s?|orej(?:a|ita)s?|cola|colita|rabo|rabito|heridas?|cortes?|cabeza|ojos?|pie|mano|dedos?|muneca|tobillo|brazo|rodilla|veterinari[oa]|enfermer[oa]|medic[oa])(?![a-z])/g
/** Offers as they stand among letters that were spelled one by one. */
const SPELLED_SALE = /sevende|vendo|vendemos|enventa/

/** Bounded: on a long row of digits an unbounded match would take quadratic time. The row's end still matches. */
const AMOUNT = String.raw`\d[\d.,]{0,20}`
const CURRENCY = '(?:€|l?eur(?:os?|azos|illos|itos)?(?![a-z]))'
/** Slang for euros. «Pavos» are turkeys, too: few of them only behind a word that asks for money. */
const SLANG = '(?:pavos|pavetes|napos|lereles|pelas)(?![a-z])'
const NUMBER_WORDS =
  '(?:(?:vein|trein)t[ae]|(?:cuar|cincu|ses|set|och|nov)enta|cien(?:to)?|(?:dos|tres|cuatro|seis|ocho)cientos|quinientos|(?:sete|nove)cientos|mil)(?: y (?:dos|tres|cinco))?'
/** White space is already collapsed (`normalizeText`). */
const MONEY = [
  `${AMOUNT} ?${CURRENCY}`,
  `€ ?${AMOUNT}`,
  String.raw`(?<!\d)\d{3,4} ?${SLANG}`,
  String.raw`(?<![a-z])(?:por|vale|cuesta|pido|piden|son|solo) \d{2,4} ?${SLANG}`,
  `(?<![a-z])${NUMBER_WORDS} (?:${CURRENCY}|${SLANG})`,
  // «300 e», «300,-», «bizum 300». The «e» of «2018 e hizo» has words behind it.
  String.raw`(?<![a-z\d.,/-])\d{3,4} ?e(?= ?(?:[.,;)]|$))`,
  String.raw`(?<![\d.,])\d{2,4},-(?![\d-])`,
  String.raw`(?<![a-z])bizum(?: (?:de|a|al))? ?:? ?\d`,
].join('|')
const PRICE_PATTERN = new RegExp(`${MONEY}|(?<![a-z])precio ?(?:es|de|:|-)? ?(?:de )?\\d`, 'g')
/** Digits of an amount that stand apart: «3 0 0 €». */
const SPACED_DIGITS = /(?<![a-z\d])\d(?: \d(?!\d)){1,4}(?= ?€)/g
/** Words near an amount of money that make it an expense or a donation, not a price. */
const EXPENSE_WORDS =
  /veterinari|vacuna|pienso|comida|comi|come |operac|operar|cirug|tratamiento|medic|adopcion|donac|donar|donativo|recaud|multa|premio|gast|collar|arnes|correa|juguete|cama |peluquer|seguro|microchip|chip|protectora/

/** Slurs. Left out: words that also name a dog, a coat or a person («perra», «negro», «zorra», «moro»). */
const SLUR_PATTERN = wordPattern(
  [
    'p[uv]{1,2}t{1,2}[ao]{1,2}s?',
    'hij[oa]s? de (?:la gran )?(?:puta|perra)',
    'hij[oa]puta',
    'hdp',
    'gilipollas',
    'cabron(?:a|es|as|az[oa]s?)?',
    'maric(?:on|ones|onaz[oa]s?|a|as)',
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
/** Slurs cut in two («gili pollas»). «Mari con su perro» is none. */
const CUT_SLUR = wordPattern(
  [
    `${splitWordSource('puta', ANY_SEPARATOR)}s?`,
    `${splitWordSource('puto', TIGHT_SEPARATOR)}s?`,
    splitWordSource('gilipollas', ANY_SEPARATOR),
    splitWordSource('cabron', ANY_SEPARATOR),
    splitWordSource('maricon', TIGHT_SEPARATOR),
    splitWordSource('subnormal', ANY_SEPARATOR),
  ].join('|'),
)
/** Slurs as they stand among letters that were spelled one by one; «disputa» and the like hold one of them. */
const SPELLED_SLUR = /(?<!com|dis|di|re|im|am)put[ao]|gilipoll|cabron|maricon|subnormal|mongolic|sudaca/
/** Slurs that are recognised with stars for letters. */
const STARRED_SLURS = ['puta', 'puto', 'putas', 'putos', 'cabron', 'cabrona', 'maricon', 'gilipollas', 'subnormal']
/** Phrases of praise or emphasis that hold a slur. */
const HARMLESS_PHRASES = /(?<![a-z])(?:de puta madre|put[ao] am[ao]|ni puta idea|puta vida|de la puta)(?![a-z])/g

const [SALE_WITHOUT_L, [SLUR_WITHOUT_L, HARMLESS_WITHOUT_L]] = [SALE_PATTERNS, [SLUR_PATTERN, HARMLESS_PHRASES]].map(
  (patterns) => patterns.map(({ source, flags }) => new RegExp(withoutL(source), flags)),
) as [RegExp[], [RegExp, RegExp]]

const offersSale = (text: string, patterns = SALE_PATTERNS) => {
  const rest = text.replace(BANDAGES, ' ')
  return patterns.some((pattern) => pattern.test(rest))
}
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
    const { joined, words } = decodeObfuscation(normalized)
    // Only with a 1 in the text: without one «l» and «i» are different letters.
    const merged = normalized.includes('1') ? withoutL(joined) : null
    if (offersSale(joined) || offersSale(normalized) || hasSalePrice(normalized)) return 'venta'
    if (CUT_SALE.test(joined.replace(BANDAGES, ' ')) || words.some((word) => SPELLED_SALE.test(word))) return 'venta'
    if (merged !== null && offersSale(merged, SALE_WITHOUT_L)) return 'venta'
    if (insults(joined) || insults(normalized) || hasStarredWord(normalized, STARRED_SLURS)) return 'insultos'
    if (insults(joined, CUT_SLUR) || words.some((word) => SPELLED_SLUR.test(word))) return 'insultos'
    if (merged !== null && insults(merged, SLUR_WITHOUT_L, HARMLESS_WITHOUT_L)) return 'insultos'
  }
  return null
}

/** Whether an amount of money has no expense word near it. */
function hasSalePrice(typed: string): boolean {
  const text = typed.replace(SPACED_DIGITS, (digits) => digits.replaceAll(' ', ''))
  return [...text.matchAll(PRICE_PATTERN)].some(({ index, 0: amount }) => {
    const around = text.slice(Math.max(0, index - 50), index + amount.length + 40)
    return !EXPENSE_WORDS.test(around)
  })
}
