import type { AppError } from '#lib/errors.ts'
import { OPINION_TEXTS } from './opinions.ts'

/** What happened to the form just sent: `?aviso=` of the page, and its sentence. */
const NOTICES = {
  raza: OPINION_TEXTS.unknownBreed,
  motivo: OPINION_TEXTS.long,
  palabras: OPINION_TEXTS.unfit,
  tuyo: OPINION_TEXTS.ownDog,
  no: 'No puedes: hay un bloqueo entre su gente y tú, o tu cuenta tiene un veto.',
  cerrado: OPINION_TEXTS.notAsked,
  lleno: OPINION_TEXTS.full,
  muchos: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
  fallo: 'No se ha podido guardar. Inténtalo de nuevo.',
} as const
export type OpinionNotice = keyof typeof NOTICES

/** The notice of a refusal. */
export function toNotice({ status, message }: AppError): OpinionNotice {
  const named = (Object.keys(NOTICES) as OpinionNotice[]).find((name) => NOTICES[name] === message)
  if (named) return named
  if (message === OPINION_TEXTS.breed) return 'raza'
  return ({ 403: 'no', 422: 'motivo', 429: 'muchos' } as const)[status] ?? 'fallo'
}

/** The sentence of a notice in an address; null for none. */
export const noticeText = (name: string | null): string | null =>
  Object.hasOwn(NOTICES, name ?? '') ? NOTICES[name as OpinionNotice] : null

/** The sentence of a refused question, by the error's status in the dog's address; null for none. */
export function requestProblemText(status: string | null): string | null {
  if (status === null) return null
  if (status === '403') return OPINION_TEXTS.notYours
  return status === '429' ? NOTICES.muchos : NOTICES.fallo
}
