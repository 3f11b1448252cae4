import { PROVIDER_NAMES, type Provider } from '#lib/auth/oauth-providers.ts'

/** What the security log records. */
export const SECURITY_EVENTS = [
  'sign-in',
  'new-device',
  'recovery-code-refused',
  'sign-out',
  'session-ended',
  'all-sessions-ended',
  'session-disowned',
  'identity-confirmed',
  'passkey-added',
  'passkey-renamed',
  'passkey-removed',
  'recovery-codes-created',
  'recovery-code-used',
  'email-requested',
  'email-added',
  'email-changed',
  'email-restored',
  'provider-linked',
  'provider-unlinked',
  'export-downloaded',
  'deletion-requested',
  'deletion-undone',
] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

/** How a member signed in, or proved who they are. */
export type SignInMethod = 'code' | 'link' | 'operator-link' | 'passkey' | 'recovery-code' | 'dev' | Provider

/** An entry of a member's security log. `created_at` in milliseconds. */
export interface SecurityLogEntry {
  id: string
  event: SecurityEvent
  detail: string | null
  /** «Firefox en Linux»; null where it is not known. */
  device: string | null
  created_at: number
}

/** Days an entry stays. */
export const SECURITY_LOG_DAYS = 365
export const SECURITY_LOG_PAGE_SIZE = 50

const METHOD_NAMES: Record<Exclude<SignInMethod, Provider>, string> = {
  code: 'con un código por correo',
  link: 'con un enlace por correo',
  'operator-link': 'con un enlace de quien administra este sitio',
  passkey: 'con una llave de acceso',
  'recovery-code': 'con un código de recuperación',
  dev: 'en pruebas',
}

const describeMethod = (method: string | null): string =>
  method !== null && Object.hasOwn(METHOD_NAMES, method)
    ? METHOD_NAMES[method as keyof typeof METHOD_NAMES]
    : `con ${providerName(method)}`

const providerName = (provider: string | null): string =>
  provider !== null && Object.hasOwn(PROVIDER_NAMES, provider) ? PROVIDER_NAMES[provider as Provider] : 'otro proveedor'

const quote = (name: string | null): string => (name ? ` «${name}»` : '')

const TEXTS: Record<SecurityEvent, (detail: string | null) => string> = {
  'sign-in': (method) => `Has entrado ${describeMethod(method)}`,
  'new-device': () => 'Dispositivo nuevo',
  'recovery-code-refused': () => 'Alguien ha probado un código de recuperación ya usado',
  'sign-out': () => 'Has salido',
  'session-ended': () => 'Has cerrado una sesión',
  'all-sessions-ended': () => 'Has cerrado todas las sesiones',
  'session-disowned': () => 'Has dicho «No he sido yo» y se ha cerrado esa sesión',
  'identity-confirmed': (method) => `Has confirmado que eres tú ${describeMethod(method)}`,
  'passkey-added': (name) => `Llave de acceso${quote(name)} añadida`,
  'passkey-renamed': (name) => `Llave de acceso${quote(name)}: nombre nuevo`,
  'passkey-removed': (name) => `Llave de acceso${quote(name)} quitada; tus otras sesiones se han cerrado`,
  'recovery-codes-created': () => 'Códigos de recuperación nuevos',
  'recovery-code-used': () => 'Código de recuperación usado',
  'email-requested': () => 'Código pedido para otra dirección de email',
  'email-added': () => 'Dirección de email añadida',
  'email-changed': () => 'Dirección de email cambiada',
  'email-restored': () => 'Cambio de dirección deshecho desde la dirección anterior',
  'provider-linked': (provider) => `${providerName(provider)} enlazado`,
  'provider-unlinked': (provider) => `${providerName(provider)} desenlazado; tus otras sesiones se han cerrado`,
  'export-downloaded': () => 'Datos descargados',
  'deletion-requested': () => 'Eliminación de la cuenta pedida',
  'deletion-undone': () => 'Cuenta recuperada antes de borrarse',
}

/** What an entry says to its member. */
export const describeSecurityEvent = ({ event, detail }: Pick<SecurityLogEntry, 'event' | 'detail'>): string =>
  Object.hasOwn(TEXTS, event) ? TEXTS[event](detail) : 'Otro cambio'
