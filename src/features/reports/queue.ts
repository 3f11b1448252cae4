import type { Deed } from './decisions.ts'
import type { ThingKind } from './kinds.ts'

/** How the admin looks at cases: what waits, the newest or the most reported first, or what was settled. */
export const ORDERS = { nuevas: 'Nuevas', mas: 'Más denunciadas', cerradas: 'Cerradas' } as const
export type QueueOrder = keyof typeof ORDERS
export const queueOrder = (text: string | null): QueueOrder =>
  text !== null && Object.hasOwn(ORDERS, text) ? (text as QueueOrder) : 'nuevas'

/** What was decided, as the admin reads it. */
export interface LoggedDecision {
  id: string
  kind: ThingKind
  what: string
  deed: Deed
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
  kind: ThingKind
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
  kind: ThingKind
  what: string
  deed: Deed
  reason: string
  until: number | null
  created_at: number
  appeal: string | null
  /** They may answer, once. */
  open: boolean
}

export const QUEUE_PAGE = 20
export const LOG_PAGE = 50
/** Reports of one thing that the queue quotes. */
export const SAID_SHOWN = 10
