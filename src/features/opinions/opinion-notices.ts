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

/** The field that a notice is about; null for none. */
export const noticeField = (name: string | null): 'breed' | 'reason' | null =>
  name === 'raza' ? 'breed' : name === 'motivo' || name === 'palabras' ? 'reason' : null

/** A refused form's fields as one text, for the page that shows them again. The breed's field has one line. */
export const joinTyped = (breed: string, reason: string): string => `${breed.replaceAll('\n', ' ')}\n${reason}`

/** What `joinTyped` joined; null for nothing. */
export function splitTyped(typed: string | null): { breed: string; reason: string } | null {
  if (typed === null) return null
  const [breed = '', ...reason] = typed.split('\n')
  return { breed, reason: reason.join('\n') }
}

/** The sentence of a refused question, by the error's status in the dog's address; null for none. */
export function requestProblemText(status: string | null): string | null {
  if (status === null) return null
  if (status === '403') return OPINION_TEXTS.notYours
  return status === '429' ? NOTICES.muchos : NOTICES.fallo
}
