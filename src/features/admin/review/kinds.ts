import { REPORTED_MESSAGE_DAYS } from '#features/contact/contact.ts'
import { REVIEW_KINDS, type ReviewKind } from '#features/moderation/review.ts'
import { SLUG_BY_TARGET_KIND, type TargetKind } from '#features/reports/target-kinds.ts'

/** What the queue can be narrowed to. */
export type QueueKind = TargetKind | ReviewKind

export const isReviewKind = (kind: QueueKind): kind is ReviewKind => REVIEW_KINDS.includes(kind as ReviewKind)

/** The filters of the queue: their slugs in addresses and their names. */
export const QUEUE_KINDS: Record<QueueKind, { slug: string; label: string }> = {
  dog: { slug: SLUG_BY_TARGET_KIND.dog, label: 'Perros' },
  photo: { slug: SLUG_BY_TARGET_KIND.photo, label: 'Fotos' },
  comment: { slug: SLUG_BY_TARGET_KIND.comment, label: 'Comentarios' },
  profile: { slug: SLUG_BY_TARGET_KIND.profile, label: 'Perfiles' },
  opinion: { slug: SLUG_BY_TARGET_KIND.opinion, label: 'Opiniones' },
  sighting: { slug: 'avistamiento', label: 'Avistamientos' },
  found: { slug: 'encontrado', label: 'Perros encontrados' },
  answer: { slug: 'respuesta', label: 'Respuestas' },
  'contact-message': { slug: 'mensaje', label: 'Mensajes' },
}

/** The kind of a slug; undefined for any other text. */
export const findQueueKind = (slug: string): QueueKind | undefined =>
  (Object.keys(QUEUE_KINDS) as QueueKind[]).find((kind) => QUEUE_KINDS[kind].slug === slug)

/** Why things wait beside what is reported in the community. */
export const REVIEW_REASONS: Record<ReviewKind, string> = {
  sighting: 'De quienes otros han rechazado hace poco, y los denunciados. Su familia los ve cuando los entregas.',
  found: 'Avisos de quienes otros han rechazado hace poco, que nadie ve aún, y los denunciados.',
  answer: 'Respuestas a quien encontró un perro, denunciadas.',
  'contact-message': `Copias de mensajes denunciados. Se guardan ${REPORTED_MESSAGE_DAYS} días, o hasta que las resuelvas. Para vetar a alguien, denuncia su perfil.`,
}
