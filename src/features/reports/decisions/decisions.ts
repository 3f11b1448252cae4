import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { formatDate } from '#lib/dates.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

/** What the admin may do about a case. The first four settle it; the others leave it open. */
export const CASE_ACTIONS = ['hide', 'restore', 'delete', 'dismiss', 'warn', 'ban', 'unban', 'note'] as const
export type CaseAction = (typeof CASE_ACTIONS)[number]
export type DecisionAction = CaseAction | 'hold' | 'auto-hide'

/** How the log calls what was done. */
export const ACTION_LABELS: Record<DecisionAction, string> = {
  hide: 'Ocultado',
  hold: 'Retenido por el filtro',
  'auto-hide': 'Ocultado por varias denuncias',
  restore: 'Publicado de nuevo',
  delete: 'Eliminado',
  dismiss: 'Denuncias descartadas',
  warn: 'Aviso a la persona',
  ban: 'Veto',
  unban: 'Veto levantado',
  note: 'Nota',
}

/** What its people may answer. */
export const APPEALABLE_ACTIONS: readonly DecisionAction[] = ['hide', 'hold', 'auto-hide', 'delete', 'warn', 'ban']

/** For how many days a ban may hold; besides, for good. */
export const BAN_DAYS = [1, 7, 30, 90] as const

/** The longest reason, note or answer, in characters as a person counts them. */
export const REASON_LIMIT = 500

export const DECISION_TEXTS = {
  deed: 'Elige qué hacer.',
  reason: 'Escribe el motivo: la persona lo va a leer.',
  note: 'Escribe la nota.',
  long: `Como máximo, ${REASON_LIMIT} caracteres.`,
  days: 'Elige hasta cuándo.',
  appeal: 'Escribe tu respuesta.',
  answered: 'Ya respondiste a esta decisión.',
  closed: 'A esta decisión no se puede responder.',
  profile: 'Un perfil no se elimina: ocúltalo o veta la cuenta.',
  held: 'Está oculto: publícalo o elimínalo.',
  shown: 'No está oculto.',
  nobody: 'Nadie con cuenta está detrás de esto.',
  self: 'No puedes vetarte.',
  sent: 'Respuesta enviada. La leeremos.',
} as const

const reasonSchema = z._default(textSchema(REASON_LIMIT, DECISION_TEXTS), '')
const ACTIONS_WITHOUT_REASON: readonly CaseAction[] = ['restore', 'dismiss', 'unban']

export const decisionInput = z
  .object({
    deed: z.enum(CASE_ACTIONS, DECISION_TEXTS.deed),
    reason: reasonSchema,
    /** Of a ban; null for good. */
    days: z._default(
      z.nullable(z.number(DECISION_TEXTS.days).check(z.refine((n) => BAN_DAYS.includes(n as 1), DECISION_TEXTS.days))),
      null,
    ),
  })
  .check(
    z.refine(({ deed, reason }) => reason !== '' || ACTIONS_WITHOUT_REASON.includes(deed), {
      error: DECISION_TEXTS.reason,
      path: ['reason'],
    }),
  )
export type DecisionInput = z.output<typeof decisionInput>

export const appealInput = z.object({
  text: reasonSchema.check(z.refine((given) => given !== '', DECISION_TEXTS.appeal)),
})

/** A thing in a sentence to whoever it belongs to. */
export function describeTarget(kind: TargetKind, what: string): string {
  if (kind === 'profile') return 'tu perfil'
  if (kind === 'comment') return `tu comentario ${what}`
  return kind === 'photo' ? `una ${what.charAt(0).toLowerCase()}${what.slice(1)}` : `la ficha de ${what}`
}

/** The bell's line for whom a decision concerns; null where it tells them nothing. */
export function toDecisionNotification(
  deed: DecisionAction,
  { kind, what, reason, until }: { kind: TargetKind; what: string; reason: string; until: number | null },
): { title: string; content: string } | null {
  const thing = describeTarget(kind, what)
  const said = reason && !/[.!?…]$/.test(reason) ? `${reason}.` : reason
  const why = said ? ` Motivo: ${said}` : ''
  switch (deed) {
    case 'hide':
      return { title: 'Hemos ocultado algo tuyo', content: `Ya no se ve ${thing}.${why} Puedes responder.` }
    case 'auto-hide':
      return {
        title: 'Hemos ocultado algo tuyo',
        content: `Varias personas han denunciado ${thing}. No se ve mientras lo revisamos. Puedes responder.`,
      }
    case 'delete':
      return { title: 'Hemos eliminado algo tuyo', content: `Hemos eliminado ${thing}.${why} Puedes responder.` }
    case 'restore':
      return { title: 'Ya se ve', content: `Ya se ve ${thing}.${said ? ` ${said}` : ''}` }
    case 'warn':
      return { title: 'Un aviso de Perrario', content: `Sobre ${thing}: ${said} Puedes responder.` }
    case 'ban':
      return {
        title: 'No puedes publicar',
        content: `${until === null ? 'Tu cuenta ya no puede publicar.' : `Tu cuenta no puede publicar hasta el ${formatDate(until)}.`}${why} Puedes responder.`,
      }
    case 'unban':
      return { title: 'Puedes volver a publicar', content: 'Tu cuenta ya puede publicar de nuevo.' }
    default:
      return null
  }
}

/** What those who reported a thing are told once it is settled; null where there is nothing to tell. */
export function toReporterNotification(deed: DecisionAction): { title: string; content: string } | null {
  if (deed === 'hide' || deed === 'delete')
    return { title: 'Gracias por avisar', content: 'Hemos retirado lo que denunciaste.' }
  if (deed === 'dismiss' || deed === 'restore')
    return { title: 'Tu denuncia', content: 'Hemos revisado lo que denunciaste y puede quedarse.' }
  return null
}
