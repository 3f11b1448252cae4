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

const YOUNG = '(?:cachorr[a-z]*|camadas?|cadells?)'
const ANIMAL = `(?:${YOUNG}|perr(?:o|a|it[oa])s?|machos?|hembras?|can|gos|galg[oa]s?|podenc[oa]s?)`
const SOME = '(?:(?:un|una|mi|mis|el|la|los|las|a|a mi|tu|este|esta|dos|tres|precios[oa]s) )?'

/** Offers of an animal. Negations do not match, nor do the towns «Venta de Baños» and «Venta del Moro». */
const SALE_PATTERNS = [
  wordPattern('(?<!no )se ?[vb]enden?|[vb]enden?se|se estan? vendiendo'),
  wordPattern('(?<!no esta )(?<!no estan )en venta(?! del? )'),
  wordPattern('(?<!no esta )(?<!no estan )a la venta'),
  wordPattern('(?<!no )(?<!no l[oa]s? )[vb]end(?:o|emos)'),
  wordPattern(`(?<!no )(?:para|pa|quiero|quiere|necesito|estoy|estamos) vend(?:er|iendo) ?:? ${SOME}${ANIMAL}`),
  wordPattern(`${ANIMAL} (?:para|pa) vender`),
  wordPattern(`(?:venc|es ven(?:en)?) ${SOME}${YOUNG}`),
  wordPattern('en venta del? (?:cachorros?|camadas?|perros?)'),
  wordPattern(`${YOUNG} (?:ya )?(?:en venta|a la venta|con pedigri?|para reservar|rebajad[oa]s?)`),
  wordPattern(
    `${YOUNG}(?: [a-z]+){0,3} disponibles?(?!(?: siempre)? (?:para|a) (?:mimos|besos|paseos|(?!reserv|entreg)[a-z]+r(?![a-z])))`,
  ),
  wordPattern(`disponibles? (?:l[ao]s? )?${YOUNG}`),
  wordPattern(
    `(?:reserv(?:a|e|ad|en)|se reservan?|reservas (?:de|para)|apartar) (?:ya )?(?:tu |su |vuestr[oa] |el |la )?${YOUNG}`,
  ),
  wordPattern(
    `(?<!no )(?:se regalan?|regal(?:o|amos)|se dan?|ced(?:o|emos)|doy|damos|se traspasan?) ${SOME}(?:${YOUNG}|perr(?:o|a|it[oa])s?)`,
  ),
  wordPattern(
    '(?:buen|mejor) precio|precio (?:de l[oa]s cachorr[oa]s|a convenir|negociable|economico|especial|simbolico|rebajado|de amigo|(?:por|al) (?:privado|mp))',
  ),
  wordPattern('(?:servicio de|para|se ofrece para|hago|ofrezco|ofrecemos|pago la) montas?(?! a caballo)'),
  wordPattern(
    `criador(?:a|es)?(?: [a-z]+)? (?:vende|ofrece)|criaderos?(?: [a-z]+)? (?:vende|ofrece|con camadas|autorizado)`,
  ),
  wordPattern(
    `(?:hay que pagar|pagar) \\d{2,4} por cada ${ANIMAL}|cada ${ANIMAL} (?:sale (?:a|por)|cuesta|vale) \\d{2,4}`,
  ),
  wordPattern(
    '(?:machos?|hembras?|cachorr[oa]s?(?: [a-z]+)?) (?:a |por )?(?!(?:19|20)\\d\\d)[1-9]\\d{2,3}(?! ?(?:[.,:]?\\d|g|gr|gramos|kg|kilos|metros|dias|km))',
  ),
]
/** An advertisement of puppies: they beside a telephone, a delivery or interested people, and nobody lost or to adopt. */
const YOUNG_ANIMALS = wordPattern(YOUNG)
const ADVERTISEMENT =
  /(?<!\d)[67]\d{2}(?: ?\d){6}(?!\d)|(?<![a-z])(?:(?:hacemos |gastos de )?envi(?:os?|amos)(?![a-z])|interesad[oa]s|ofert(?:a|on)(?![a-z])|lista de espera|preguntar|precio (?:por|al|en))/
const LOST_OR_ADOPTED = /perdi|extravi|escap|busc|encontr|robad|adop|acogid|abandon|rescat/
const isAdvertisement = (text: string) =>
  YOUNG_ANIMALS.test(text) && ADVERTISEMENT.test(text) && !LOST_OR_ADOPTED.test(text)

/** What is sold beside dogs. */
const THINGS =
  'transportin|caseta|jaula|cama(?!d)|manta|abrigo|ropa|correa|collar|arnes|juguete|peluche|pienso|comida|chuche|miel|queso|huevo|piso|casa|coche|furgo|moto|bici|placa|alma|reino|vida|rinon|imagen|humo|camiseta|calendario|loteria|papeleta|rifa|libro|entrada'
/** What pays for love. */
const TREATS =
  'salchich|queso|jamon|gallet|chuche|hueso|beso|caricia|mimo|abrazo|premi|pollo|pizza|croqueta|tro[zc]|fuet|boca|chorizo|pan'
/** Sales of things, figures of speech, and bandages, which have the same verb: «la vendó el veterinario». */
const HARMLESS_SALES = new RegExp(
  [
    `(?:se [vb]enden?|[vb]endo|[vb]endemos|(?:en|a la) venta) (?:[a-z]+ )?(?:${THINGS})`,
    `(?:bien|como|mejor) se venden?|se venden? (?:muy |tan )?(?:bien|como nadie|el |ella|mal|sol[oa]s?|car[oa]s?|al mejor postor|por (?:[a-z]+ ){0,3}(?:${TREATS}))`,
    'vendo (?:muy )?(?:bien )?(?:(?:la|el|las|los|su|sus|una|un) )?(?:pat(?:a|ita)s?|orej(?:a|ita)s?|cola|colita|rabo|rabito|heridas?|cortes?|cabeza|ojos?|pie|mano|dedos?|muneca|tobillo|brazo|rodilla|veterinari[oa]|enfermer[oa]|medic[oa])(?![a-z])',
  ]
    .map((source) => `(?<![a-z])(?:${source})`)
    .join('|'),
  'g',
)
/** Offers cut in two («ven-do»). «Se ven de lejos» is none. */
const CUT_SALE = wordPattern(
  [
    `(?<!no )(?<!no l[oa]s? )${splitWordSource('vendo', ANY_SEPARATOR)}`,
    `(?<!no )(?<!no l[oa]s? )${splitWordSource('vendemos', TIGHT_SEPARATOR)}`,
    `(?<!no )se ?${splitWordSource('vende', TIGHT_SEPARATOR)}n?`,
  ].join('|'),
)
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
/** Words near an amount of money that make it an expense, a bet or a donation, not a price. */
const EXPENSE_WORDS = new RegExp(
  `veterinari|pienso|comida|comi|come |operac|operar|cirug|tratamiento|medic|resonanci|analitic|adopcion|donac|donar|donativo|recaud|multa|premi|gast(?!os de (?:cria|envio))|peluquer|seguro|protectora|perrera|billete|hotel|residencia|guarderia|al dia|cost(?:o|aron|aba)|pagu|pagamos|pagaron|recompensa|gratific|debe|pidieron|pedian|cobr|salio|valio|noche|apuest|te pago|te doy|pasead|la hora|al mes`,
)
/** The same, unless puppies are named beside it: advertisements praise these. */
const EXTRAS = new RegExp(`vacuna|chip|${THINGS}`)
const SOLD_ANIMALS = /cachorr|camada|machos?|hembras?/
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
  const rest = text.replace(HARMLESS_SALES, ' ')
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
    if (offersSale(joined) || offersSale(normalized) || hasSalePrice(normalized) || isAdvertisement(normalized))
      return 'venta'
    if (CUT_SALE.test(joined.replace(HARMLESS_SALES, ' ')) || words.some((word) => SPELLED_SALE.test(word)))
      return 'venta'
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
    if (amount.startsWith('precio') || around.includes('negociable')) return true
    return !EXPENSE_WORDS.test(around) && !(EXTRAS.test(around) && !SOLD_ANIMALS.test(around))
  })
}
