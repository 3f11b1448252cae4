import type { ReviewKind } from '#features/moderation/review.ts'
import type { DecisionAction } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

/** Orders of the queue: open cases, newest or most reported first, or closed ones. */
export const QUEUE_ORDERS = { nuevas: 'Nuevas', mas: 'Más denunciadas', cerradas: 'Cerradas' } as const
export type QueueOrder = keyof typeof QUEUE_ORDERS
export const parseQueueOrder = (text: string | null): QueueOrder =>
  text !== null && Object.hasOwn(QUEUE_ORDERS, text) ? (text as QueueOrder) : 'nuevas'

export const KIND_LABELS: Record<TargetKind | ReviewKind, string> = {
  dog: 'Perro',
  photo: 'Foto',
  comment: 'Comentario',
  profile: 'Perfil',
  opinion: 'Opinión',
  sighting: 'Avistamiento',
  found: 'Perro encontrado',
  answer: 'Respuesta',
  'contact-message': 'Mensaje',
}

/** A decision as the admin sees it. Times in milliseconds. */
export interface LoggedDecision {
  id: string
  kind: TargetKind
  label: string
  action: DecisionAction
  /** Alias of the admin; null for an automatic decision. */
  admin: string | null
  reason: string
  until: number | null
  created_at: number
  appeals: { alias: string; text: string; created_at: number }[]
}

/** A case as the queue shows it. Times in milliseconds. */
export interface QueuedCase {
  id: string
  kind: TargetKind
  cause: 'reports' | 'words' | 'anonymous'
  reports: number
  open: boolean
  latest_at: number
  /** Changes when the author edits the target: an approval is of this version only. */
  version: number
  /** Null once it is deleted. */
  target: {
    label: string
    path: string
    /** A comment or a dog's description, whole. */
    quote: string | null
    /** A dog's other fields: «3 años · 12 kg · Lugo»; empty where it has none. */
    facts: string
    photos: string[]
    /** The photos' alternative texts: «Foto 2: Duerme en el sofá». */
    alts: string[]
    isHidden: boolean
    /** A comment or photo whose dog is hidden. */
    isDogHidden: boolean
  } | null
  /** Texts that wait beside what is public, with their names. */
  proposed: [label: string, text: string][]
  /** Members that the admin may warn or ban (`listCaseMembers`): the author, or all members of a reported dog. */
  members: { id: string; alias: string; banned: { until: number | null } | null }[]
  /** The newest reports, `MAX_REPORTS_SHOWN` at most. */
  reportsShown: { reason: string; words: string; alias: string; created_at: number }[]
  decisions: LoggedDecision[]
}

/** A decision as the member it concerns sees it. */
export interface OwnDecision {
  id: string
  kind: TargetKind
  label: string
  action: DecisionAction
  reason: string
  until: number | null
  created_at: number
  appeal: string | null
  /** Whether the member may still appeal. */
  open: boolean
}

export const QUEUE_PAGE_SIZE = 20
export const LOG_PAGE_SIZE = 50
/** Reports of one target that the queue quotes. */
export const MAX_REPORTS_SHOWN = 10
