import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { formatDate } from '#lib/dates.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

/** The admin's actions on a case. The first four close it; the others leave it open. */
export const CASE_ACTIONS = ['hide', 'restore', 'delete', 'dismiss', 'warn', 'ban', 'unban', 'note'] as const
export type CaseAction = (typeof CASE_ACTIONS)[number]
/** The admin's actions and the automatic ones: the filter's and that of several reports. */
export type DecisionAction = CaseAction | 'hold' | 'auto-hide'

/** The actions' names in the log. */
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

/** Actions that the members concerned may appeal. */
export const APPEALABLE_ACTIONS: readonly DecisionAction[] = ['hide', 'hold', 'auto-hide', 'delete', 'warn', 'ban']

/** Days a ban may last; a ban may also be permanent. */
export const BAN_DAYS = [1, 7, 30, 90] as const

/** Maximum length of a reason, a note or an appeal, in characters as a person counts them. */
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
  gone: 'Ya no está: no queda nada que decidir.',
  profile: 'Un perfil no se elimina: ocúltalo o veta la cuenta.',
  hidden: 'Está oculto: publícalo o elimínalo.',
  notHidden: 'No está oculto.',
  leaving: 'Su cuenta está pendiente de borrarse: vuelve a verse solo si la recupera. Puedes ocultarlo o eliminarlo.',
  nobody: 'Nadie con cuenta está detrás de esto.',
  member: 'Elige a quién.',
  otherMember: 'Ya no es de esa persona. Mira otra vez de quién es antes de decidir.',
  self: 'No puedes vetarte.',
  changed: 'Ha cambiado desde que lo viste. Míralo otra vez antes de decidir.',
  version: 'Falta la versión que has visto.',
  sent: 'Respuesta enviada. La leeremos.',
} as const

const reasonSchema = z._default(textSchema(REASON_LIMIT, DECISION_TEXTS), '')
const ACTIONS_WITHOUT_REASON: readonly CaseAction[] = ['restore', 'dismiss', 'unban']
/**
 * Actions that approve what the admin has seen. The others need no version: an author who edits all the time must not be able to
 * prevent them.
 */
export const APPROVALS: readonly CaseAction[] = ['restore', 'dismiss']

/** Actions against one member. They name the one that the form showed, since the target's members may change before it is submitted. */
export const MEMBER_ACTIONS: readonly CaseAction[] = ['warn', 'ban', 'unban']

export const decisionInput = z
  .object({
    deed: z.enum(CASE_ACTIONS, DECISION_TEXTS.deed),
    reason: reasonSchema,
    /** Days of a ban; null: permanent. */
    days: z._default(
      z.nullable(
        z.number(DECISION_TEXTS.days).check(z.refine((days) => BAN_DAYS.includes(days as 1), DECISION_TEXTS.days)),
      ),
      null,
    ),
    /** The target's version that the admin has seen (`QueuedCase.version`). */
    version: z.optional(z.int(DECISION_TEXTS.version)),
    /** Id of the member to warn or ban, one of the case's (`QueuedCase.members`). */
    member: z.optional(z.string(DECISION_TEXTS.member).check(z.maxLength(200, DECISION_TEXTS.member))),
  })
  .check(
    z.refine(({ deed, version }) => version !== undefined || !APPROVALS.includes(deed), {
      error: DECISION_TEXTS.version,
      path: ['version'],
    }),
    z.refine(({ deed, reason }) => reason !== '' || ACTIONS_WITHOUT_REASON.includes(deed), {
      error: DECISION_TEXTS.reason,
      path: ['reason'],
    }),
    z.refine(({ deed, member }) => member !== undefined || !MEMBER_ACTIONS.includes(deed), {
      error: DECISION_TEXTS.member,
      path: ['member'],
    }),
  )
export type DecisionInput = z.output<typeof decisionInput>

export const appealInput = z.object({
  text: reasonSchema.check(z.refine((text) => text !== '', DECISION_TEXTS.appeal)),
})

/** A target that was deleted, in the log and in the admin's notifications. */
export const GONE_TARGET = 'Algo que ya no está'

/** Names a target within a Spanish sentence to its member. */
export function describeTarget(kind: TargetKind, label: string): string {
  if (kind === 'profile') return 'tu perfil'
  if (kind === 'comment') return `tu comentario ${label}`
  if (kind === 'opinion') return `tu opinión ${label}`
  return kind === 'photo' ? `una ${label.charAt(0).toLowerCase()}${label.slice(1)}` : `la ficha de ${label}`
}

/** The notification for the members a decision concerns; null for actions without one. */
export function toDecisionNotification(
  action: DecisionAction,
  { kind, label, reason, until }: { kind: TargetKind; label: string; reason: string; until: number | null },
): { title: string; content: string } | null {
  const target = describeTarget(kind, label)
  const sentence = reason && !/[.!?…]$/.test(reason) ? `${reason}.` : reason
  const why = sentence ? ` Motivo: ${sentence}` : ''
  switch (action) {
    case 'hide':
      return { title: 'Hemos ocultado algo tuyo', content: `Ya no se ve ${target}.${why} Puedes responder.` }
    case 'auto-hide':
      return {
        title: 'Hemos ocultado algo tuyo',
        content: `Varias personas han denunciado ${target}. No se ve mientras lo revisamos. Puedes responder.`,
      }
    case 'delete':
      return { title: 'Hemos eliminado algo tuyo', content: `Hemos eliminado ${target}.${why} Puedes responder.` }
    case 'restore':
      return { title: 'Ya se ve', content: `Ya se ve ${target}.${sentence ? ` ${sentence}` : ''}` }
    case 'warn':
      return { title: 'Un aviso de Perrario', content: `Sobre ${target}: ${sentence} Puedes responder.` }
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

/** The notification for the author of a new text that is not published. */
export const toDroppedNotification = (reason: string) => ({
  title: 'No publicamos un texto tuyo',
  content: `Sigue lo que ya se veía. Puedes escribirlo de otra manera.${reason && ` Motivo: ${reason}`}`,
})

/**
 * The notification for the reporters once a case is closed; null for actions without one.
 * @param outcome the action; `gone` where the target was deleted before the admin dismissed its reports
 */
export function toReporterNotification(outcome: DecisionAction | 'gone'): { title: string; content: string } | null {
  if (outcome === 'hide' || outcome === 'delete')
    return { title: 'Gracias por avisar', content: 'Hemos retirado lo que denunciaste.' }
  if (outcome === 'dismiss' || outcome === 'restore')
    return { title: 'Tu denuncia', content: 'Hemos revisado lo que denunciaste y puede quedarse.' }
  if (outcome === 'gone') return { title: 'Tu denuncia', content: 'Lo que denunciaste ya no está.' }
  return null
}
