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

/** Money that is refused. It is taken out before money is looked for. */
const NO_MONEY = words(
  '(?<!si )(?:no|ni|nunca|tampoco) (?:(?:te|os|le|me|nos|se) )?(?:p[ie]d|qu[ie]+r|busc|hay|acept|necesit|hac)[a-z]* (?:(?!much)[a-z]+ ){0,2}(?:dinero|pasta|rescate|recompensa|gratificacion)',
)
/** Ways to pay, and what is said to make somebody pay first. */
const MONEY = words(
  'bi+z+u+m[a-z]*',
  '(?:hacer?|haz(?:me)?|haga|por|una) transferencia|transferencias? bancaria',
  'pa[yi] ?pal|western ?union|money ?gram|revolut|hal ?cash|bitcoins?|btc|usdt|cripto(?:monedas?|s)?',
  // Not the verb: «él y otro iban hacia el río».
  '(?:mi|tu|su|un|este|al|del|por|con|cuenta|numero|necesito|(?<!(?:y|con|a|de|como|tras|por) )el) iban|iban(?: ?:| (?:es|de (?:la|mi|tu|una) cuenta|[a-z]{2} ?\\d{2}[\\d ]*|\\d{4}[\\d ]*))',
  'tarjetas? (?:de )?regalo|tarjetas? prepago|gift ?cards?|paysafe(?: ?card)?|(?:numero|n\\.?[oº]) de (?:cuenta|tarjeta)|cuenta bancaria|cvv',
  '(?:(?<!(?:gracias|agradecid[oa]) )por |pago |paga |algo )adelantad[oa]|anticipo|(?:un|el|tu|algun|pequeno|necesito|quiero|de|sin) adelanto(?! de(?:l| la) (?!pago|dinero|recompensa))|adelanta(?:me|nos)',
  '(?:pag(?:a|o|as|ar|ame|adme|ando|ues?|uen)|pides?|pido|pedimos|pediran?|quiero|exijo) (?:[a-z]+ ){0,3}(?:rescate|dinero|pasta)',
  '(?:quiero|quieres?|pido|dame|cuant[oa]|pag[a-z]+) (?:[a-z]+ ){0,2}(?:recompensa|gratificacion)|que recompensa|(?:recompensa|gratificacion) (?:primero|antes|por adelantado)',
  '(?:ingresa|envia|manda|transfiere)(?:me|nos|d?me|dnos)? (?:[a-z]+ ){0,3}(?:dinero|euros|pasta|efectivo|\\d{2,5})',
  '(?:me|nos) (?:ingresas|pagas|transfieres|(?:ingresa|paga|transfiere) usted)',
)

const DIGIT_WORD = '(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)'
const SPELLED_PHONE = new RegExp(`(?<![a-z])${DIGIT_WORD}(?:[ ,.-]+${DIGIT_WORD}){6,}`)

/** Codes that open no account: of a chip, an identity plate, a postcode. They are taken out before others are looked for. */
const PLAIN_CODE = words(
  'codigos? (?:[a-z]+ )?(?:postal(?:es)?|qr|de barras|civil|penal|rojo)',
  '(?:codigos?|numer(?:it)?os?|pin|que|(?:[a-z]+ )?(?:cifras|digitos|numeros)) (?:que )?(?:[a-z]+ ){0,2}(?:del?|en) (?:(?:la|el|su|tu|un|una|ese|esa) )?(?:micro)?(?:chip|chapa|placa|collar|oreja|portal|puerta|garaje|cartel|pasaporte|cartilla|protectora|perrera|mapa|ubicacion|telefono|cp)',
  '(?:micro)?(?:chip|chapa|placa|collar|oreja|tatuaje|pegatina|cartel)(?:[ ,.:;]+(?:con|lleva|llevaba|tiene|tenia|pone|ponia|es|hay|de|un|el|su|y|numero|sale|da|dice|se|le|lee)){0,4}[ ,:;]+codigos?',
  'codigos? (?:tatuad|grabad|impres)[oa]s?|(?:codigos? )?(?:de )?(?:15|quince) (?:cifras|digitos|numeros)',
  'codigos?[ :]+(?:es |numero )?\\d[\\d ]{8,}\\d',
)
const CODE = words('[ck]od(?:igo|igito|ig)s?', 'code', 'otp', 'contrasena de un solo uso', 'cod\\.', 'cod d?e?(?= )')

/** Between a reader and what reached them: «te ha debido», «te acaba de», «te va a». */
const REACHES = '(?:(?:h[ea]|han|haya|habra|deb[a-z]+|tenido|que|v[aoe]y?a?n?|a|acab[a-z]+|de|est[a-z]+) ){0,4}'
const ARRIVED = `(?:te|le|os) ${REACHES}(?:lleg|sal[aeigt]|salid|saldr|aparec|entr|ca[eiy]|salt)[a-z]*`
/** Hands something over: «dime», «¿me pasas?», «reenviar». */
const HAND =
  '(?:d[iae]|deci|diga|pas[ae]|mand[ae]|(?:re)?envi[ae]|le[ea]|dict[ae]|escrib[aei]|copi[ae]|pon(?:ga)?|cant[ae]|facilit[ae]|compart[aei]|ensen[ae]|deletre[ae])'
/** What may be a code where somebody sends it or wants to be told it. */
const MAYBE_CODE = words(
  '(?:cifr|digit)(?:it)?[oa]s?|numer(?:itos?|illos?|in|ines)|clavecita|(?<!en )(?:el|los|un|tu) [4-8]-?d(?:igs?)?|verificador',
  '(?:\\d|dos|tres|cuatro|cinco|seis|siete|ocho|unos|esos|los|serie de) num(?:ero)?s?',
  '(?:el|un|ese|tu|del?) (?:pin|token)|numero de (?:seguridad|verificacion|confirmacion|registro|acceso|activacion)',
  '(?:la|una|esa|tu|mi|que) (?:clave|contrasena)(?! (?:es|esta) [a-z])',
  `(?:${HAND}r?(?:me|nos) (?:[a-z]+ ){0,2}|que |cual es el )(?:numero|num|n[oº]) (?:q(?:ue)? )?(?:${ARRIVED}|sale|aparece)`,
  `l[oa]s (?:[4568]|cuatro|cinco|seis|ocho) que ${ARRIVED}|${DIGIT_WORD}(?: ${DIGIT_WORD}){2,}`,
)
/** What may carry one, where somebody has it read out. */
const WEAK_CODE = words(
  'sms|ms[jg]s?|mensaj(?:es|itos?|in)|mensaje de texto|notificacion|wh?ats?app?|[wg]h?[au]t?sap+|(?:un|ese|el|mi|tu|al|del|ultimo) (?:mensaje|aviso|avisito|texto)|(?:un|ese|el) numero',
  `(?:lo|l[oa]s|el|ultimo|algo) que ${ARRIVED}|(?:${ARRIVED}|algo) al (?:movil|telefono)|lo que te ${REACHES}(?:mand|envi)[a-z]+`,
)
const SENT = words(
  `(?:te|le|os) ${REACHES}(?:mand|envi|pas)[a-z]*|${ARRIVED}`,
  '(?:mand|envi)(?:arte|andote|ado|ada|ados)',
  'llegar[a-z]*|llegad[oa]s?|recib[a-z]+|sms|mensaje de texto|tus mensajes|de (?:google|whats?app|telegram)',
)
const MESSENGER = words(
  'whats?app?|[wg]h?[au]t?sap+|wsp|wpp|telegram|signal|messenger|instagram|facebook|google|gmail|wallapop|bizum|(?:al|a tu) movil',
)
const TELL = words(
  `(?:${HAND}|confirma)(?:e?r)?(?:me|nos) (?:(?:aqui|ahora|ya|luego|entonces|por favor) )?(?:el|la|los|las|ese|esa|esos|esas|que|cual|cuales|tu)`,
  `(?:me|nos) (?:${HAND}|confirma)(?:c?e)?s (?:el|la|los|las|que|cuales)`,
  '(?:necesito|quiero|hace falta|me falta) (?:que|el|la|los|las|ese|esos|tu)',
  'me (?:tienes|debes|puedes|has)|(?:escribe|pon|pega|repite|teclea|copia|mete|introduce)(?:l[oa]s?)? (?:aqui|los|las|el|la)',
  'confirma(?:me|nos)l[oa]s?|(?:me|nos) l[oa]s? [a-z]+s|verifica[a-z]*|di (?:el|la|los|las)',
)
/** Hands over what a message says. */
const READ_OUT = words(
  `${HAND}(?:e?r)?(?:me|nos)l[oa]s?|(?:me|nos) l[oa]s? (?:[a-z]+ )?${HAND}(?:c?e)?[rs]`,
  '(?:lo )?que (?:te )?(?:pone|dice|sale)|cual(?: es)?(?= ?(?:[?.!]|$))',
  '(?:lee|reenvia|copia|dicta|leer|reenviar)(?:me|nos)|reenvia(?:lo| el (?:sms|mensaje))|acepta(?:r|la)?|(?:(?:pasa|manda|envia|di|deletrea)(?:me|nos)|me [a-z]+s) (?:aqui )?(?:lo|(?:el|ese) (?:ultimo )?(?:sms|mensaje|aviso|texto))|(?:contesta|responde) con|(?:pega|copia|pon|escribe)(?:l[oa]s?)? aqui',
  '(?:manda|pasa|envia|haz|saca|sube)(?:me|nos|le)? (?:[a-z]+ )?(?:captura|pantallazo)|foto (?:del?|al?) (?:[a-z]+ ){0,2}(?:sms|mensaj[a-z]*|texto|aviso|lo|pantalla)',
)

/** Whether a text speaks of a code that opens an account, which nobody needs for a dog. */
function asksForCode(folded: string): boolean {
  const text = folded.replace(SPELLED_PHONE, ' ').replace(new RegExp(PLAIN_CODE, 'g'), ' ')
  if (CODE.test(text)) return true
  if (MAYBE_CODE.test(text) && [SENT, MESSENGER, TELL, READ_OUT].some((pattern) => pattern.test(text))) return true
  return WEAK_CODE.test(text) && SENT.test(text) && READ_OUT.test(text)
}
const AMOUNT =
  /\d[\d.,]{0,12} ?(?:€|eur(?:os?)?(?![a-z])|pavos(?![a-z]))|€ ?\d|(?<![a-z0-9])[a-z]{2}\d{2}(?: ?\d{4}){3,6}/
const OPEN = '(?<![a-z])(?:abr[aei]|pinch[ae]|puls[ae]|entr[ae]|clica?)(?:lo|s|r)?(?![a-z])'
const LINK = new RegExp(
  [
    'https?:|www ?\\.',
    '[a-z0-9._%+-]@[a-z0-9-]{1,63}\\.[a-z0-9-]',
    '(?<![a-z0-9@])[a-z0-9-]{2,63}(?:\\.|\\(?(?:\\.| punto | dot )\\)? ?)(?:com|net|org|info|io|xyz|online|site|link|shop|club|top|eu)(?![a-z0-9])',
    '(?<![a-z0-9])[a-z0-9-]{1,63}\\.[a-z]{2,10}/[^ ]',
    '(?<![a-z0-9])[a-z0-9-]{3,63}\\.es(?:$|[ ,;)]*$|[?#:/])',
    `${OPEN} (?:[a-z]+ ){0,3}(?:enlace|link)(?![a-z])|(?<![a-z])(?:enlace|link)[ ,.;]+(?:[a-z]+[ ,.;]+){0,4}${OPEN}`,
    '(?<![a-z0-9])(?:arroba|instagram|telegram) ?:? ?@?[a-z0-9_.]{1,64} punto',
  ].join('|'),
)
/** Nine digits as Spain writes them, or more behind a country's prefix; a chip's fifteen are none. */
const PHONE =
  /(?<![\d][ .\-/]?)(?:(?:\+|00)\d{1,3}[ .\-()/]{0,3}(?:\d[ .\-/()]{0,2}){6,11}\d|[6789](?:[ .\-/()]{0,2}\d){8})(?![ .\-/]?\d)/

/**
 * Finds what a text of a finder or an owner is folded for: money before links, links before words, a phone number last; null where it has
 * none. It is delivered all the same: who reads it opens it with one press.
 */
export function findTextWarning(text: string): TextWarning | null {
  const folded = fold(text).replace(new RegExp(NO_MONEY, 'g'), ' ')
  const { joined, words: spelled } = decodeObfuscation(folded)
  if (MONEY.test(folded) || MONEY.test(joined) || AMOUNT.test(folded)) return 'money'
  if (asksForCode(folded) || asksForCode(joined)) return 'money'
  if (MONEY.test(spelled.join(' ')) || /(?<![a-z])b[^a-z0-9]?i[^a-z0-9]?z[^a-z0-9]?u[^a-z0-9]?m/.test(joined))
    return 'money'
  if (LINK.test(folded)) return 'link'
  if (findTextFlag(text) !== null) return 'words'
  return PHONE.test(folded) || SPELLED_PHONE.test(folded) ? 'phone' : null
}
