import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { TARGET_KINDS, type TargetKind } from './target-kinds.ts'

/** Reasons of a report, in the form's order. */
export const REPORT_REASONS = {
  'no-perro': 'La foto no es de un perro',
  venta: 'Venta o cría con anuncio',
  insultos: 'Insultos u odio',
  datos: 'Datos personales',
  maltrato: 'Maltrato animal',
  spam: 'Spam o publicidad',
  otra: 'Otra cosa',
} as const
export type ReportReason = keyof typeof REPORT_REASONS

/** Reasons that apply to a kind of target. */
export const reasonsFor = (kind: TargetKind): ReportReason[] =>
  (Object.keys(REPORT_REASONS) as ReportReason[]).filter(
    (reason) => reason !== 'no-perro' || kind === 'dog' || kind === 'photo',
  )

/** Maximum length of the explanation, in characters as a person counts them. */
export const EXPLANATION_LIMIT = 500

export const REPORT_TEXTS = {
  kind: 'Di qué quieres denunciar.',
  reason: 'Elige un motivo.',
  long: `La explicación no puede tener más de ${EXPLANATION_LIMIT} caracteres.`,
  other: 'Cuéntanos qué ocurre.',
  own: 'No puedes denunciar algo tuyo.',
  gone: 'Lo que quieres denunciar ya no está.',
  signIn: 'Inicia sesión para denunciar.',
  done: 'Gracias por avisar. Lo revisaremos.',
  again: 'Ya lo habías denunciado. Lo estamos revisando.',
} as const

export const reportInput = z
  .object({
    kind: z.enum(TARGET_KINDS, REPORT_TEXTS.kind),
    id: z.string(REPORT_TEXTS.kind).check(z.minLength(1, REPORT_TEXTS.kind), z.maxLength(200, REPORT_TEXTS.kind)),
    reason: z.enum(Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]], REPORT_TEXTS.reason),
    words: z._default(textSchema(EXPLANATION_LIMIT, REPORT_TEXTS), ''),
  })
  .check(
    z.refine(({ reason, words }) => reason !== 'otra' || words !== '', {
      error: REPORT_TEXTS.other,
      path: ['words'],
    }),
  )
export type ReportInput = z.output<typeof reportInput>

/** A target as the form names it to the reporter. */
export interface ReportTargetSummary {
  kind: TargetKind
  id: string
  /** «el perro Toby», «el comentario de Ana»: after «Denunciar». */
  name: string
  /** The page that shows it. */
  path: string
  /** A comment's text; null for other kinds. */
  quote: string | null
  /** A dog's photos, each of which may be reported alone. */
  photos: string[]
}
