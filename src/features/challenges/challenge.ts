import type { Theme } from './themes.ts'

/** The challenge of a week. */
export interface Challenge {
  week: number
  theme: Theme
  /** When the next one begins. */
  endsAt: number
}

/** Who did it, and the dog by which they did. */
export interface Participant {
  id: string
  alias: string
  emoji: string
  dog: { id: string; name: string; path: string }
  joinedAt: number
}

export interface ParticipantsPage {
  participants: Participant[]
  nextCursor: string | null
}

export const PARTICIPANTS_PAGE_SIZE = 50
/** Those that the community's page names. */
export const PARTICIPANTS_IN_SHORT = 2
