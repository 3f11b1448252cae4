/** Texts of the sign-in (docs/product.md §10.2). */
export const SIGN_IN_TEXTS = {
  blankEmail: 'Por favor, introduce tu email',
  badEmail: 'Introduce un email válido',
  sent: '¡Enlace mágico enviado! Revisa tu email',
  sentAgain: 'Te hemos enviado otro mensaje con tu código. Mira también en el correo no deseado.',
  failed: 'Error al enviar el enlace. Inténtalo de nuevo.',
  failedBecause: (message: string) => `Error enviando el enlace: ${message}`,
  badCode: 'Escribe las 6 cifras del código.',
  wrongCode: 'El código no es correcto o ya no vale. Revísalo o pide otro.',
  deadLink: 'Este enlace ya no vale. Pide otro.',
} as const

/** The server's own, which no page loads. */
export const MAIL_LIMIT_TEXTS = {
  /** Instead of a mail beyond the mailbox's limit; times as `formatTime` and `formatDateTime` write them. */
  lastIsGood: (until: string) =>
    `Ya te hemos enviado varios mensajes, así que ahora no sale otro. El último vale hasta las ${until} (hora peninsular): mira también en el correo no deseado.`,
  nextMail: (time: string) =>
    `Ya te hemos enviado varios mensajes y el último ya no vale. Podrás pedir otro desde el ${time} (hora peninsular).`,
  manyMails: 'Hoy ya se han pedido muchos enlaces desde tu conexión. Vuelve a intentarlo mañana.',
  manyAccounts: 'Hoy ya se han creado muchas cuentas desde tu conexión. Vuelve a intentarlo mañana o desde otra red.',
  crowded: 'Se está apuntando mucha gente a la vez. Vuelve a intentarlo dentro de un rato.',
} as const

/** Beside every code that opens an account: swindlers who say that they have found a lost dog ask for it. */
export const NEVER_TELL = 'No se lo digas a nadie, tampoco a quien diga haber encontrado a tu perro.'

/** Maximum length of an address in SMTP, characters (RFC 5321). */
export const EMAIL_LIMIT = 254

/**
 * One @; before it no character that could end or split a mail header (white space, control characters, commas, brackets,
 * quotes); after it two labels or more, of ASCII only letters, digits and hyphens.
 */
const EMAIL_PATTERN =
  /^[^\s@,;:<>()[\]\\"\p{C}]+@(?:[A-Za-z\d-]|[^\0-\x7f\s\p{C}])+(?:\.(?:[A-Za-z\d-]|[^\0-\x7f\s\p{C}])+)+$/u

/**
 * Whether no character folds to a plain letter: the Kelvin sign (K) would become k, and the address another person's. Such an
 * address is refused, not stored unfolded, since mail servers may fold it too.
 */
const hasNoFoldingCharacters = (email: string): boolean =>
  [...email].every(
    (char) => char < '\x80' || (char.normalize('NFKC') === char && !/[\0-\x7f]/.test(char.toLowerCase())),
  )

/** An address as it is stored and compared: trimmed, NFC, lower case. Call it after the address was found valid (`emailSchema`). */
export const normalizeEmail = (typed: string): string => typed.trim().normalize('NFC').toLowerCase()

/**
 * The error of a typed address; null for one that may be valid. The browser's whole check, and the server's first, which then
 * reads the domain as DNS does (`emailSchema`).
 */
export function emailError(typed: string): string | null {
  const email = typed.trim()
  if (email === '') return SIGN_IN_TEXTS.blankEmail
  return email.length <= EMAIL_LIMIT && EMAIL_PATTERN.test(email) && hasNoFoldingCharacters(email)
    ? null
    : SIGN_IN_TEXTS.badEmail
}

/** The message for a link that could not be sent, from the response's status and Spanish detail. */
export function toSendingError(status: number, detail: string | undefined): string {
  if (status === 422 && detail) return detail
  if (status === 429 && detail) return SIGN_IN_TEXTS.failedBecause(detail)
  return SIGN_IN_TEXTS.failed
}

/** Why a mailed link is invalid, and what to do. */
export const DEAD_LINK_TEXTS = {
  used: {
    title: 'Este enlace ya se ha usado',
    text: 'Cada enlace sirve una sola vez, y al usar uno nuevo los anteriores dejan de valer. Pide otro y entra enseguida.',
  },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Los enlaces valen 15 minutos. Pide otro y entra enseguida.',
  },
  unknown: {
    title: 'Este enlace no es válido',
    text: 'Puede que se haya cortado al copiarlo. Ábrelo desde el mensaje o pide otro.',
  },
} as const
