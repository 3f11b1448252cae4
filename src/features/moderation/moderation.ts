import { formatDate } from '#lib/dates.ts'

/** What a member who may not write reads, wherever they try. `until` in milliseconds; null for good. */
export const formatBanMessage = (until: number | null): string =>
  until === null
    ? 'Tu cuenta no puede publicar en Perrario. Puedes seguir leyendo, y descargar o eliminar tus datos.'
    : `Tu cuenta no puede publicar hasta el ${formatDate(until)}. Mientras tanto puedes seguir leyendo.`

/** What somebody reads who was banned, deleted their account and wants a new one. `until` in milliseconds. */
export const formatBannedSignUpMessage = (until: number): string =>
  `Hasta el ${formatDate(until)} no puedes abrir otra cuenta: la que eliminaste no podía publicar.`

/** What its author reads beside something that was hidden. */
export const HIDDEN_LABEL = 'Oculto: solo lo ves tú'

/** What the author of something that waits for the admin reads beside it. */
export const PENDING_REVIEW_LABEL = 'Lo revisaremos antes de publicarlo'
