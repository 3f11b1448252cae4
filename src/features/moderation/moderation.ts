import { formatDate } from '#lib/dates.ts'

/** Shown to a banned member wherever they try to write. `until` in milliseconds; null for a permanent ban. */
export const formatBanMessage = (until: number | null): string =>
  until === null
    ? 'Tu cuenta no puede publicar en Perrario. Puedes seguir leyendo, y descargar o eliminar tus datos.'
    : `Tu cuenta no puede publicar hasta el ${formatDate(until)}. Mientras tanto puedes seguir leyendo.`

/** Shown to a banned person who deleted their account and wants a new one. `until` in milliseconds. */
export const formatBannedSignUpMessage = (until: number): string =>
  `Hasta el ${formatDate(until)} no puedes abrir otra cuenta: la que eliminaste no podía publicar.`

/** Shown to its author beside hidden content. */
export const HIDDEN_LABEL = 'Oculto: solo lo ves tú'

/** Shown to its author beside content that is pending review. */
export const PENDING_REVIEW_LABEL = 'Lo revisaremos antes de publicarlo'

/** Texts and dogs of one member that wait for the admin at a time. */
export const OPEN_REVIEWS_MAX = 20

/** Texts and dogs of one member that are hidden for a review in a day, decided and deleted ones among them. */
export const REVIEWS_PER_DAY = 40

/** The same of all members of a network: of five who use up theirs, or of one who opens account after account. */
export const NETWORK_REVIEWS_PER_DAY = 200

export const MODERATION_TEXTS = {
  tooManyReviews: 'Ya tienes muchos textos por revisar. Podrás enviar más cuando los hayamos mirado.',
  tooManyReviewsToday: 'Hoy ya has enviado muchos textos que tenemos que revisar. Mañana podrás enviar más.',
  tooManyNetworkReviews:
    'Desde tu conexión ya se han enviado hoy muchos textos que tenemos que revisar. Mañana podrás enviar el tuyo.',
  manyReports: 'Has enviado muchas denuncias seguidas. Espera un rato, por favor.',
  tooManyAnonymousReviews: 'Ya hay muchos perros por revisar. Entra con tu cuenta para añadir el tuyo.',
} as const

/** A member whom another one blocked. */
export interface BlockedMember {
  id: string
  /** Null where the profile is hidden. */
  alias: string | null
  emoji: string | null
}
