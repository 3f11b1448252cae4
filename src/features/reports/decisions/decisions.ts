import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { describe, KINDS } from '#features/notifications/kinds.ts'
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

type NotifiedAction = Exclude<DecisionAction, 'hold' | 'dismiss' | 'note'>
/** Whether the members whom a decision concerns are notified of it (`decision-…`). */
export const isNotified = (action: DecisionAction): action is NotifiedAction => `decision-${action}` in KINDS

/** Whether the reporters are, once a case is closed (`report-…`). @param outcome `gone`: the target was deleted before the admin dismissed its reports */
export const areReportersNotified = (
  outcome: DecisionAction | 'gone',
): outcome is 'hide' | 'delete' | 'dismiss' | 'restore' | 'gone' => `report-${outcome}` in KINDS

/** What is said of a decision to the members it concerns. */
export const toDecisionNotification = (
  action: NotifiedAction,
  { kind, label, ...why }: { kind: TargetKind; label: string; reason: string; until: number | null },
) => describe(`decision-${action}`, { what: describeTarget(kind, label), ...why })
