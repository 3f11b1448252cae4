import { replaceLetterShapes } from '#features/moderation/letter-shapes.ts'
import { decodeObfuscation } from '#features/moderation/obfuscation.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { foldText } from '#lib/text/text.ts'

/** Why a text between finders and owners is folded. `phone` is the mildest: honest finders write their number. */
export type TextWarning = 'money' | 'link' | 'words' | 'phone'

/** What stands on the fold. */
export const TEXT_WARNINGS: Record<TextWarning, string> = {
  money: 'Este mensaje habla de dinero, de pagos o de códigos. No pagues nada por adelantado ni digas ningún código.',
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
)

/** Codes that open no account: of a chip, an identity plate, a postcode. They are taken out before others are looked for. */
const PLAIN_CODE = words(
  'codigos? (?:[a-z]+ )?(?:postal(?:es)?|qr|de barras|civil|penal|rojo)',
  '(?:codigos?|numeros?|pin|(?:[a-z]+ )?(?:cifras|digitos|numeros)) (?:[a-z]+ )?(?:del?|en) (?:(?:la|el|su|tu|un|una|ese|esa) )?(?:micro)?(?:chip|chapa|placa|collar|oreja|portal|puerta|garaje|cartel|pasaporte|cartilla|protectora|perrera|mapa|ubicacion|telefono|cp)',
  '(?:micro)?(?:chip|chapa|placa|collar|oreja|tatuaje|pegatina|cartel)(?:[ ,.:;]+(?:con|lleva|llevaba|tiene|tenia|pone|ponia|es|hay|de|un|el|su|y|numero|sale|da|dice|se|le|lee)){0,4}[ ,:;]+codigos?',
  'codigos? (?:tatuad|grabad|impres)[oa]s?|(?:codigos? )?(?:de )?(?:15|quince) (?:cifras|digitos|numeros)',
  'codigos?[ :]+(?:es |numero )?\\d[\\d ]{8,}\\d',
)
const CODE = words('[ck]od(?:igo|igito|ig)s?', 'code', 'otp', 'contrasena de un solo uso', 'cod\\.', 'cod d?e?(?= )')
/** What may be a code where somebody sends it or wants to be told it. */
const MAYBE_CODE = words(
  '(?:cifras|digitos|numeritos|numerines)',
  '(?:\\d|dos|tres|cuatro|cinco|seis|siete|ocho|unos|esos|los) numeros',
  '(?:el|un|ese|tu|del?) (?:pin|token)',
  '(?:la|una|esa|tu) (?:clave|contrasena)',
)
const WEAK_CODE = words('sms', 'mensaje de texto', 'mensajito', 'notificacion', '(?:un|ese|el) (?:numero|mensaje)')
const SENT = words(
  '(?:te|le|os) (?:(?:he|ha|han|voy a|va a|van a|acabo de|acaban de|estoy|esta) )?(?:mand|envi|lleg|sal|aparec|entr|pas)[a-z]*',
  '(?:mand|envi)(?:arte|andote|ado|ada|ados)',
  'llegar[a-z]*|llegad[oa]s?|recib[a-z]+|sms|mensaje de texto',
)
const MESSENGER = words(
  'whats?app?|[wg]h?[au]t?sap+|wsp|wpp|telegram|signal|messenger|instagram|facebook|google|gmail|wallapop|bizum|movil',
)
const TELL = words(
  '(?:di|da|pasa|manda|envia|reenvia|lee|dicta|escribe|confirma|copia|pon|canta|facilita|comparte|ensena)(?:me|nos)l[oa]s?',
  '(?:me|nos) l[oa]s? [a-z]+s',
  '(?:decir|dar|pasar|mandar|enviar|reenviar|leer|dictar|copiar|confirmar|facilitar)(?:me|nos)(?:l[oa]s?)?',
  '(?:di|pasa|manda|envia|reenvia|lee|dicta|escribe|confirma|copia|da|facilita|pon)(?:me|nos) (?:(?:aqui|ahora|ya|luego|entonces|por favor) )?(?:el|la|los|las|ese|esa|esos|esas|que|cual|cuales|tu)',
  '(?:me|nos) (?:dices|das|pasas|mandas|envias|lees|reenvias|dictas|copias|confirmas) (?:el|la|los|las|ese|esos|esas|que|cuales)',
  '(?:necesito|quiero|hace falta) (?:que|el|la|los|las|ese|esos)',
  'me (?:tienes|debes|puedes|has)|(?:escribe|pon|pega|repite|teclea|copia|mete|introduce)(?:l[oa]s?)? (?:aqui|los|las|el|la)',
  'captura|pantallazo|verifica[a-z]*',
)
/** Hands over what a message says. */
const READ_OUT = words(
  '(?:di|da|pasa|manda|envia|reenvia|lee|dicta|escribe|confirma|copia|canta)(?:me|nos)l[oa]s?',
  'que (?:pone|dice|te sale)',
  'captura|pantallazo|(?:lee|reenvia|copia|dicta)(?:me|nos)|me l[oa]s? [a-z]+s',
)

/** Whether a text speaks of a code that opens an account, which nobody needs for a dog. */
function asksForCode(folded: string): boolean {
  const text = folded.replace(new RegExp(PLAIN_CODE, 'g'), ' ')
  if (CODE.test(text)) return true
  if (MAYBE_CODE.test(text) && [SENT, MESSENGER, TELL].some((pattern) => pattern.test(text))) return true
  return WEAK_CODE.test(text) && SENT.test(text) && READ_OUT.test(text)
}
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
  if (asksForCode(folded) || asksForCode(joined)) return 'money'
  if (MONEY.test(spelled.join(' ')) || /(?<![a-z])b[^a-z0-9]?i[^a-z0-9]?z[^a-z0-9]?u[^a-z0-9]?m/.test(joined))
    return 'money'
  if (LINK.test(folded)) return 'link'
  if (findTextFlag(text) !== null) return 'words'
  return PHONE.test(folded) || SPELLED_PHONE.test(folded) ? 'phone' : null
}
