import { type Provider, PROVIDER_NAMES } from '#lib/auth/oauth-providers.ts'

/** Texts of linking and unlinking providers in «Cuenta y datos» (docs/product.md §10.3). */
export const LINK_TEXTS = {
  /** For a sign-in with a provider whose address has an account that it is not linked to. */
  exists: (provider: Provider) =>
    `Ya hay una cuenta con el email que tienes en ${PROVIDER_NAMES[provider]}. Entra con tu email y enlaza ${PROVIDER_NAMES[provider]} en «Cuenta y datos».`,
  linked: 'Enlazado. Desde ahora también puedes entrar así.',
  unlinked: 'Desenlazado. También hemos cerrado tus otras sesiones.',
  taken: 'Esa cuenta ya está enlazada con otra persona de Perrario.',
  failed: 'No hemos podido enlazarla. Inténtalo de nuevo.',
  notLinked: 'Esa cuenta no está enlazada con la tuya.',
  lastWay: 'Es tu única forma de entrar: no se puede desenlazar.',
} as const

/**
 * Why a sign-in with a provider failed (docs/product.md §10.3): `refused` by the provider, with its reason; `cancelled` there by
 * the person; `failed` for any other reason. `message` may be empty.
 */
export interface SignInFailure {
  provider: Provider
  kind: 'refused' | 'cancelled' | 'failed'
  message: string
}

export const FAILURE_TEXTS = {
  auth: 'Error de autenticación',
  signIn: (name: string) => `Error al iniciar sesión con ${name}`,
  again: 'Inténtalo de nuevo.',
  cancelled: (name: string) => `Has cancelado la entrada con ${name}.`,
  stale: (name: string) => `La entrada con ${name} caducó o empezó en otra ventana. Inténtalo de nuevo.`,
  unconfigured: (name: string) => `La entrada con ${name} no está configurada en este sitio.`,
  unavailable: (name: string) => `${name} no está disponible ahora mismo. Inténtalo de nuevo dentro de un rato.`,
  refused: (name: string) => `${name} no ha permitido la entrada.`,
} as const

/** The toast's title and text, the box's text, and whether they are shown as information instead of an error. */
export function failureTexts({ provider, kind, message }: SignInFailure) {
  const name = PROVIDER_NAMES[provider]
  if (kind === 'cancelled') {
    const text = FAILURE_TEXTS.cancelled(name) + (message ? ` ${name} dice: «${message.replace(/\.$/, '')}».` : '')
    return { title: FAILURE_TEXTS.auth, text, box: text, calm: true }
  }
  if (kind === 'refused') {
    const text = message || FAILURE_TEXTS.refused(name)
    return { title: FAILURE_TEXTS.auth, text, box: text, calm: false }
  }
  const title = FAILURE_TEXTS.signIn(name)
  return { title, text: FAILURE_TEXTS.again, box: message || `${title}. ${FAILURE_TEXTS.again}`, calm: false }
}

/** Error codes of a sign-in that the person cancelled: the standard one (RFC 6749) and the providers' own. */
const CANCEL_CODES = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'])

/** Turns a provider's error response into a failure. */
export function toSignInFailure(provider: Provider, code: string, description: string | undefined): SignInFailure {
  const message = tidyMessage(description ?? '')
  if (CANCEL_CODES.has(code)) return { provider, kind: 'cancelled', message }
  const name = PROVIDER_NAMES[provider]
  const isUnavailable = code === 'temporarily_unavailable' || code === 'server_error'
  return { provider, kind: 'refused', message: message || (isUnavailable ? FAILURE_TEXTS.unavailable(name) : '') }
}

/** Maximum length of a provider's message as shown, characters. */
export const PROVIDER_MESSAGE_LIMIT = 200

/** A provider's message made safe to show: one line, no invisible characters, of bounded length. */
export function tidyMessage(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= PROVIDER_MESSAGE_LIMIT
    ? line
    : `${characters.slice(0, PROVIDER_MESSAGE_LIMIT - 1).join('')}…`
}
