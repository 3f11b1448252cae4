import { AppError } from '#lib/errors.ts'
import { RECENT_AUTH_MINUTES } from '#features/auth/auth.ts'

/** A signed-in member, with the time of their last authentication. */
export interface AuthenticatedMember {
  id: string
  /** When they last authenticated, ms: by a mailed link or code; where the account has no address, at a provider. */
  authenticatedAt: number
}

export const RECENT_AUTH_TEXTS = {
  needed: 'Para tu seguridad, confirma con un código que te enviamos por correo.',
  byPasskey: 'Para tu seguridad, confirma con tu llave de acceso.',
  byPasskeyOrCode: 'Para tu seguridad, confirma con tu llave de acceso o con un código que te enviamos por correo.',
  again: 'Para tu seguridad, confirma que eres tú: vuelve a entrar.',
  noEmail: 'Tu cuenta no tiene email. Confirma que eres tú entrando otra vez, con tu llave o tu proveedor.',
  proved: `Confirmado. Tienes ${RECENT_AUTH_MINUTES} minutos para descargar tus datos, cambiar cómo entras, cerrar sesiones o eliminar tu cuenta.`,
  provedAdmin: `Confirmado. Tienes ${RECENT_AUTH_MINUTES} minutos para hacer cambios.`,
  other: 'Has entrado con otra cuenta. Elige la misma con la que entras aquí.',
  failed: 'No hemos podido confirmar que eres tú. Inténtalo de nuevo.',
  many: 'Demasiados códigos equivocados. Inténtalo más tarde.',
} as const

/** Whether the last authentication is recent enough for what a session alone may not do (docs/product.md §9.5). */
export const isRecentlyAuthenticated = (authenticatedAt: number, now = Date.now()): boolean =>
  now - authenticatedAt < RECENT_AUTH_MINUTES * 60_000

/** Call it before what a session alone may not do. @throws AppError 403, with an error of `code`, by which clients recognise it */
export function assertRecentSignIn({ authenticatedAt }: AuthenticatedMember, now = Date.now()): void {
  if (!isRecentlyAuthenticated(authenticatedAt, now))
    throw new AppError(403, RECENT_AUTH_TEXTS.needed, { errors: { code: RECENT_AUTH_TEXTS.needed } })
}

/** Whether `error` is that 403. */
export const isRecentSignInError = (error: unknown): boolean =>
  error instanceof AppError && error.status === 403 && error.errors?.code !== undefined
