import { FALLBACK_ALIAS } from '#lib/text/names.ts'

/** What waits for the admin beside cases (features/reports), as the log of admins names it. */
export const REVIEW_KINDS = ['sighting', 'found', 'answer', 'contact-message'] as const
export type ReviewKind = (typeof REVIEW_KINDS)[number]

/** It is published, or stays so; or it goes for good. */
export const REVIEW_DECISIONS = ['keep', 'delete'] as const
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number]

/** Somebody of what waits; without id: somebody without account. */
export interface ReviewPerson {
  role: string
  id: string | null
  alias: string
}

/** @param nameless what somebody without account is called */
export const reviewPerson = (
  role: string,
  id: string | null,
  alias: string | null,
  nameless = 'alguien sin cuenta',
): ReviewPerson => ({ role, id, alias: id === null ? nameless : (alias ?? FALLBACK_ALIAS) })

/** Something of a lost or found dog that waits for the admin. Times in milliseconds. */
export interface ReviewItem {
  id: string
  /** Since when it waits. */
  since: number
  /** What it is, or the dog that it is about, with its page. */
  heading: { text: string; path?: string }
  /** Why others reported it; empty where nobody has. */
  reasons: string[]
  /** Where and when it was. */
  facts: string
  photo?: { path: string; width: number; height: number; alt: string } | null
  /** Who wrote it, and who reported it. */
  people: ReviewPerson[]
  /** What was written, each with its field's name where there are several. */
  words: { name?: string; text: string }[]
  /** What the two buttons say. */
  labels: Record<ReviewDecision, string>
  /** Tells its buttons from those of others: « el avistamiento de Toby, Getafe». */
  name: string
}

export type QueuedItem = ReviewItem & { kind: ReviewKind }
