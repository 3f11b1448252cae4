import { UNDO_DAYS } from '#features/auth/auth.ts'
import { DISPUTE_TEXTS } from '#features/auth/dispute/dispute.ts'
import { formatDate } from '#lib/dates.ts'

export const DELETION_TEXTS = {
  dead: 'Este enlace ya no sirve: la cuenta ya se recuperó o ya se ha borrado, o el enlace no está completo.',
  late: `Han pasado los ${UNDO_DAYS} días y la cuenta se está borrando: ya no se puede recuperar.`,
  restored: `Tu cuenta ha vuelto, con todo lo tuyo. Entra como siempre. ${DISPUTE_TEXTS.done}`,
  restoring: 'Estamos recuperando tu cuenta. Vuelve a entrar dentro de un momento.',
  nothing: 'Esta cuenta no está pendiente de borrarse. Entra como siempre.',
  proof: 'Para tu seguridad, vuelve a entrar con un código de tu correo o con tu llave antes de borrar la cuenta.',
  proofByProvider: 'Para tu seguridad, vuelve a entrar antes de borrar la cuenta.',
} as const

/** «Tu cuenta se borrará el 3 de diciembre de 2026» */
export const deletionTitle = (dueAt: number): string => `Tu cuenta se borrará el ${formatDate(dueAt)}`

/** What happens to the dogs, in a sentence. */
export const DOGS_SENTENCES = {
  delete: 'Tus perros se borrarán con ella.',
  keep: 'Tus perros se quedan en el álbum sin tu nombre.',
} as const

/** What the page offers: undoing by the mailed link or by the session, there also deleting now, or the way to the sign-in. */
export type DeletionOffer = 'link' | 'restore' | 'choice' | 'erase' | 'prove' | 'sign-in' | 'sign-out' | 'home'

export interface DeletionView {
  status: number
  title: string
  sentences: readonly string[]
  offer: DeletionOffer
}
