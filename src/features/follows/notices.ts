import type { AppError } from '#lib/errors.ts'
import { FOLLOW_TEXTS, type FollowKind } from './follows.ts'

/** Why a form without script was refused: `?aviso=` of the member's own list, and its sentence. */
const NOTICES = {
  lleno: FOLLOW_TEXTS.full,
  tu: FOLLOW_TEXTS.self,
  no: 'No puedes: hay un bloqueo entre esa persona y tú, o tu cuenta tiene un veto.',
  member: FOLLOW_TEXTS.member,
  breed: FOLLOW_TEXTS.breed,
  zone: FOLLOW_TEXTS.zone,
  muchos: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
} as const
export type FollowNotice = keyof typeof NOTICES

/** The notice of a refusal; undefined for one that has a page of its own. */
export function toNotice({ status }: AppError, kind: FollowKind): FollowNotice | undefined {
  if (status === 404) return kind
  return ({ 403: 'no', 409: 'lleno', 422: 'tu', 429: 'muchos' } as const)[status]
}

/** The sentence of a notice in an address; null for none. */
export const noticeText = (name: string | null): string | null =>
  Object.hasOwn(NOTICES, name ?? '') ? NOTICES[name as FollowNotice] : null
