import { formatDate } from '#lib/dates.ts'
import { UNDO_DAYS } from '../auth.ts'

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
