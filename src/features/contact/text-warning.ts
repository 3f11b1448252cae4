import { replaceLetterShapes } from '#features/moderation/letter-shapes.ts'
import { decodeObfuscation } from '#features/moderation/obfuscation.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { foldText } from '#lib/text/text.ts'

/** Why a text between finders and owners is folded. `phone` is the mildest: honest finders write their number. */
export type TextWarning = 'money' | 'link' | 'words' | 'phone'

/** What stands on the fold. */
export const TEXT_WARNINGS: Record<TextWarning, string> = {
  money: 'Este mensaje habla de dinero, de pagos o de códigos. No pagues nada por adelantado.',
  link: 'Este mensaje lleva un enlace o una dirección. No lo abras si no sabes de quién es.',
  words: 'Este mensaje tiene palabras que pueden ofender o parece un anuncio.',
  phone: 'Este mensaje lleva un número de teléfono.',
}

const fold = (text: string): string =>
  foldText(replaceLetterShapes(text.replace(/[\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/gu, ''))).replace(/\s+/g, ' ')

const words = (...sources: string[]) => new RegExp(`(?<![a-z0-9])(?:${sources.join('|')})(?![a-z0-9])`)

/** Ways to pay, and what is said to make somebody pay first. */
const MONEY = words(
  'bi+z+u+m[a-z]*',
  '(?:hacer?|haz(?:me)?|haga|por|una) transferencia(?: bancaria)?',
  'transferencias?(?: bancaria)',
  'pa[yi] ?pal',
  'iban',
  'western ?union',
  'money ?gram',
  'revolut',
  'hal ?cash',
  'bitcoins?|btc|usdt|cripto(?:monedas?|s)?',
  'tarjetas? (?:de )?regalo|tarjetas? prepago|gift ?cards?|paysafe(?: ?card)?',
  '(?:numero|n\\.?[oº]) de (?:cuenta|tarjeta)|cuenta bancaria|cvv',
  '(?:por |pago |paga |algo )adelantad[oa]|(?:un |el )?adelanto',
  'anticipo',
  '(?:pag(?:a|o|as|ar|ame|adme|ando|ues?|uen)|pides?|pido|pedimos|pediran?|quiero|exijo) (?:[a-z]+ ){0,3}(?:rescate|dinero|pasta)',
  '(?:quiero|quieres?|pido|dame|das|dais|hay|cuant[oa]|que|pag[a-z]+) (?:[a-z]+ ){0,2}(?:recompensa|gratificacion)',
  '(?:recompensa|gratificacion) (?:primero|antes|por adelantado)',
  '(?:ingresa|envia|manda|transfiere)(?:me|nos|d?me|dnos)? (?:[a-z]+ ){0,3}(?:dinero|euros|pasta|efectivo|\\d{2,5})',
  '(?:me|nos) (?:ingresas?|pagas?|transfieres)',
  // Codes that open accounts.
  '(?:el )?codigo (?:[a-z]+ ){0,6}(?:sms|whatsapp|wasap|google|llegad[oa]|llega|verificacion|recibid[oa])',
)
const AMOUNT =
  /\d[\d.,]{0,12} ?(?:€|eur(?:os?)?(?![a-z])|pavos(?![a-z]))|€ ?\d|(?<![a-z0-9])[a-z]{2}\d{2}(?: ?\d{4}){3,6}/
const LINK = new RegExp(
  [
    'https?:',
    'www ?\\.',
    '[a-z0-9._%+-]@[a-z0-9-]{1,63}\\.[a-z0-9-]',
    '(?<![a-z0-9@])[a-z0-9-]{2,63}(?:\\.|\\(?(?:\\.| punto | dot )\\)? ?)(?:com|net|org|info|io|xyz|online|site|link|shop|club|top|eu)(?![a-z0-9])',
    '(?<![a-z0-9])[a-z0-9-]{1,63}\\.[a-z]{2,10}/[^ ]',
    '(?<![a-z0-9])[a-z0-9-]{3,63}\\.es(?:$|[ ,;)]*$|[?#:/])',
    '(?<![a-z0-9])(?:arroba|instagram|telegram) ?:? ?@?[a-z0-9_.]{1,64} punto',
  ].join('|'),
)
/** Nine digits as Spain writes them, or more behind a country's prefix; a chip's fifteen are none. */
const PHONE =
  /(?<![\d][ .\-/]?)(?:(?:\+|00)\d{1,3}[ .\-()/]{0,3}(?:\d[ .\-/()]{0,2}){6,11}\d|[6789](?:[ .\-/()]{0,2}\d){8})(?![ .\-/]?\d)/
const DIGIT_WORDS = '(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)'
const SPELLED_PHONE = new RegExp(`(?<![a-z])${DIGIT_WORDS}(?:[ ,.-]+${DIGIT_WORDS}){6,}`)

/**
 * Finds what a text of a finder or an owner is folded for: money before links, links before words, a phone number last; null where it has
 * none. It is delivered all the same: who reads it opens it with one press.
 */
export function findTextWarning(text: string): TextWarning | null {
  const folded = fold(text)
  const { joined, words: spelled } = decodeObfuscation(folded)
  if (MONEY.test(folded) || MONEY.test(joined) || AMOUNT.test(folded)) return 'money'
  if (MONEY.test(spelled.join(' ')) || /(?<![a-z])b[^a-z0-9]?i[^a-z0-9]?z[^a-z0-9]?u[^a-z0-9]?m/.test(joined))
    return 'money'
  if (LINK.test(folded)) return 'link'
  if (findTextFlag(text) !== null) return 'words'
  return PHONE.test(folded) || SPELLED_PHONE.test(folded) ? 'phone' : null
}
