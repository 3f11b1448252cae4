import type { DecisionAction } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

/** How the admin looks at cases: what waits, the newest or the most reported first, or what was settled. */
export const QUEUE_ORDERS = { nuevas: 'Nuevas', mas: 'Más denunciadas', cerradas: 'Cerradas' } as const
export type QueueOrder = keyof typeof QUEUE_ORDERS
export const parseQueueOrder = (text: string | null): QueueOrder =>
  text !== null && Object.hasOwn(QUEUE_ORDERS, text) ? (text as QueueOrder) : 'nuevas'

/** What was decided, as the admin reads it. */
export interface LoggedDecision {
  id: string
  kind: TargetKind
  what: string
  deed: DecisionAction
  /** Null where the house did it by itself. */
  admin: string | null
  reason: string
  until: number | null
  created_at: number
  appeals: { alias: string; text: string; created_at: number }[]
}

/** A case as the queue shows it. */
export interface QueuedCase {
  id: string
  kind: TargetKind
  cause: 'reports' | 'words' | 'anonymous'
  reports: number
  open: boolean
  latest_at: number
  /** Null once it is gone. */
  thing: {
    what: string
    path: string
    quote: string | null
    photos: string[]
    /** What is said of them: «Foto 2: Duerme en el sofá». */
    alts: string[]
    held: boolean
  } | null
  /** Who is behind it; null for an anonymous dog. */
  person: { id: string; alias: string; banned: { until: number | null } | null } | null
  /** The newest, and of how many. */
  said: { reason: string; words: string; alias: string; created_at: number }[]
  decisions: LoggedDecision[]
}

/** A decision as the member reads it whom it concerns. */
export interface OwnDecision {
  id: string
  kind: TargetKind
  what: string
  deed: DecisionAction
  reason: string
  until: number | null
  created_at: number
  appeal: string | null
  /** They may answer, once. */
  open: boolean
}

export const QUEUE_PAGE_SIZE = 20
export const LOG_PAGE_SIZE = 50
/** Reports of one thing that the queue quotes. */
export const MAX_REPORTS_SHOWN = 10
