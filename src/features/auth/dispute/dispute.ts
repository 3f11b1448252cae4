import * as z from 'zod/mini'
import { formatDate } from '#lib/dates.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import type { NamedAlert } from '#features/auth/new-device/new-device.ts'

export const DISPUTE_TEXTS = {
  /** What follows from «No he sido yo», and from undoing a change of address or a deletion. */
  effect: `Se cierran todas las sesiones, y dejan de valer los códigos de recuperación y lo que se haya añadido en los últimos ${UNDO_DAYS} días para entrar; lo de antes que se haya quitado vuelve. Durante otros ${UNDO_DAYS} días no se puede cambiar el email ni borrar la cuenta.`,
  done: `Todas las sesiones están cerradas, y ya no valen los códigos de recuperación ni lo que se añadió en los últimos ${UNDO_DAYS} días para entrar. Durante otros ${UNDO_DAYS} días no se puede cambiar el email ni borrar la cuenta.`,
  frozen: (until: number) =>
    `Alguien ha dicho que no fue quien usó esta cuenta. Para protegerla, hasta el ${formatDate(until)} no se puede cambiar su email ni borrarla.`,
  young: (until: number) =>
    `Hace menos de ${UNDO_DAYS} días que cambió el email de esta cuenta o se añadió una forma de entrar. Para protegerla, hasta el ${formatDate(until)} no se puede borrar «ahora mismo».`,
} as const

/** Until when an account is protected from who may have taken it over, ms; null for what has ended or never was. */
export interface Protection {
  /** It is in dispute: neither its address is changed nor its deletion asked for. */
  disputedUntil: number | null
  /** A way in was added to it, or its address changed, less than UNDO_DAYS ago: it is not deleted at once. */
  addedUntil: number | null
}

/** Why the account is not deleted at once; null where it may be. */
export const whyNotNow = ({ disputedUntil, addedUntil }: Protection): string | null =>
  disputedUntil !== null
    ? DISPUTE_TEXTS.frozen(disputedUntil)
    : addedUntil !== null
      ? DISPUTE_TEXTS.young(addedUntil)
      : null

const INVALID = 'Este enlace no es válido'
const DEAD = 'Este enlace no es válido o ya se ha usado.'

/** The two kinds of mailed links that put an account in dispute, with status, title and text of what comes of them. Any secret fits both. */
export const DISPUTE_LINKS = {
  undo: {
    page: authPaths.undo,
    action: authPaths.api.undo,
    button: 'Deshacer el cambio',
    done: [200, 'Deshecho', `Hecho: tu cuenta vuelve a tener su dirección de antes. ${DISPUTE_TEXTS.done}`],
    used: [404, INVALID, DEAD],
    late: [410, 'Ya no se puede deshacer', `El plazo de ${UNDO_DAYS} días para deshacer este cambio ha terminado.`],
    unknown: [404, INVALID, DEAD],
  },
  disown: {
    page: authPaths.disown,
    action: authPaths.api.disown,
    button: 'No he sido yo',
    done: [200, 'Tu cuenta está protegida', DISPUTE_TEXTS.done],
    used: [409, 'Ya está hecho', 'Este enlace ya se ha usado: la sesión está cerrada.'],
    late: [410, 'El plazo ha terminado', `El enlace valía ${UNDO_DAYS} días. Mira tus sesiones en «Cuenta y datos».`],
    unknown: [404, INVALID, 'Este enlace no es válido.'],
  },
} as const
export type LinkKind = keyof typeof DISPUTE_LINKS

/** A token: 32 bytes in base64url. */
export const linkInput = (kind: LinkKind) => {
  const dead = DISPUTE_LINKS[kind].unknown[2]
  return z.object({ token: z.string(dead).check(z.regex(/^[\w-]{43}$/, dead)) })
}

/** What a link leads to. Of an open one: what its mail told of, the account's address, and the one it would have again. */
export type DisputeLink =
  | { state: 'open'; alerts: NamedAlert[]; email: string | null; previous: string | null }
  | { state: 'done' | 'used' | 'late' | 'unknown' }
