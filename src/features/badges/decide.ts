import type { DogFacts } from '#features/challenges/facts.ts'
import { fitsWeek } from '#features/challenges/themes.ts'
import { challengeWeekOf } from '#features/challenges/weeks.ts'
import { type Badge, BADGES } from './badge-list.ts'

/** A dog of the member's album. */
export interface AlbumDog extends DogFacts {
  id: string
  createdAt: number
}

/** How far a member is with a badge. */
export interface BadgeState {
  badge: string
  progress: number
  /** The dog that earned it and when it was added; null until it is earned. */
  dogId: string | null
  earnedAt: number | null
}

/** A week's challenge that a member did. */
export interface WeekDone {
  week: number
  dogId: string
  joinedAt: number
}

export interface Decided {
  badges: BadgeState[]
  weeks: WeekDone[]
}

interface Shelves {
  badge: Badge
  shelves: Map<string, Set<string>>
  state: BadgeState
}

/** Decides badges and challenges dog by dog, in the order in which they were added. */
export class BadgeDecider {
  readonly weeks: WeekDone[] = []
  /** The oldest dog of each breed that is one. */
  readonly oldestOfBreed = new Map<string, { id: string; createdAt: number }>()
  readonly #shelves: Shelves[] = BADGES.map((badge) => ({
    badge,
    shelves: new Map(),
    state: { badge: badge.key, progress: 0, dogId: null, earnedAt: null },
  }))

  add(dog: AlbumDog): void {
    const week = this.#addWeek(dog)
    const { slug, isMixed } = dog.breed
    if (!isMixed && !this.oldestOfBreed.has(slug))
      this.oldestOfBreed.set(slug, { id: dog.id, createdAt: dog.createdAt })
    for (const { badge, shelves, state } of this.#shelves)
      for (const { shelf = '', item } of state.dogId === null ? (badge.count?.(dog, week) ?? []) : []) {
        const found = shelves.get(shelf) ?? new Set()
        shelves.set(shelf, found.add(item))
        state.progress = Math.max(state.progress, found.size)
        if (state.progress < badge.target) continue
        Object.assign(state, { dogId: dog.id, earnedAt: dog.createdAt })
        break
      }
  }

  /** Only the first dog of a week that fits counts, and only in the week in which it was added. @returns the week that it did */
  #addWeek(dog: AlbumDog): number | null {
    const week = challengeWeekOf(dog.createdAt)
    if (this.weeks.at(-1)?.week === week || !fitsWeek(week, dog)) return null
    this.weeks.push({ week, dogId: dog.id, joinedAt: dog.createdAt })
    return week
  }

  /** The badges that have been begun. */
  states(): BadgeState[] {
    return this.#shelves.map(({ state }) => state).filter(({ progress }) => progress > 0)
  }
}
