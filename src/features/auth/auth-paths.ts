import { type ConfirmResult, paths } from '#lib/paths.ts'

function accountAt(section: string, result: Record<string, string>): string {
  const query = new URLSearchParams(result)
  return `${paths.account}${query.size > 0 ? `?${query}` : ''}#${section}`
}

const SECURITY = '/perfil/seguridad'

/** Addresses that only this feature's pages use: in a file of their own, since every page of the site loads `paths`. */
export const authPaths = {
  /** The step that confirms the member's identity, on the pages of security and of the admin. */
  securityConfirm: (result: ConfirmResult) => paths.accountConfirm(result).replace(paths.account, SECURITY),
  adminConfirm: (result: ConfirmResult) => paths.accountConfirm(result).replace(paths.account, paths.admin),
  /** Where the step leads once it is done, by its page. */
  confirmed: {
    cuenta: paths.accountConfirmed,
    seguridad: paths.accountConfirmed.replace(paths.account, SECURITY),
    admin: paths.accountConfirmed.replace(paths.account, paths.admin),
  },
  /** The account's page at the passkeys, with the outcome of a form. */
  accountPasskeys: (result: Record<string, string> = {}) => accountAt('llaves', result),
  /** The account's page at the mail address, with the outcome of a form. */
  accountEmail: (result: Record<string, string> = {}) => accountAt('entrada', result),
  /** The account's page at the list of sessions, with the outcome of a form. */
  accountSessions: (result: Record<string, string> = {}) => accountAt('sesiones', result),
  /** The page of security, with the account's log. @param cursor of a later page of the log */
  securityLog: (cursor?: string) => `${SECURITY}${cursor ? `?${new URLSearchParams({ cursor })}` : ''}`,
  recoveryCodes: `${SECURITY}#recuperacion`,
  signInRecovery: '/login/recuperar',
  /** The link by which the holder of an old address undoes its change; the page asks before it does. */
  undo: (token: string) => `/deshacer?${new URLSearchParams({ token })}`,
  undone: '/deshacer?hecho=si',
  /** The link by which a member says that a sign-in was not theirs; the page asks before it ends the session. */
  disown: (token: string) => `/no-he-sido-yo?${new URLSearchParams({ token })}`,
  disowned: '/no-he-sido-yo?hecho=si',
  api: {
    disown: '/api/account/disown',
    disownSession: (id: string) => `/api/account/sessions/${id}/disown`,
    email: '/api/account/email',
    emailCode: '/api/account/email/code',
    undo: '/api/account/undo',
    passkeys: '/api/auth/passkeys',
    passkeyOptions: '/api/auth/passkeys/options',
    passkeySignIn: '/api/auth/passkeys/sign-in',
    passkey: (id: string) => `/api/auth/passkeys/${id}`,
    recovery: '/api/auth/recovery',
  },
}

// Not in lib/paths.ts, which every page loads: only the server writes these addresses.

/** Account page after a provider was linked or unlinked. */
export const linkedPath = (outcome: 'enlazado' | 'desenlazado'): string => `/perfil/cuenta?hecho=${outcome}#entrada`

/** Account page where linking or unlinking was refused. */
export const linkErrorPath = (error: 'ajena' | 'enlace' | 'unica'): string => `/perfil/cuenta?error=${error}#entrada`

/** Endpoint of a provider that is linked to the member's account. */
export const linkedProviderPath = (name: string): string => `/api/account/providers/${name}`

/** Links a provider to the signed-in member's account. */
export const providerLinkPath = (name: string): string => `/api/auth/${name}?para=enlazar`
