import type { DogFacts } from '#features/challenges/facts.ts'
import { fitsWeek } from '#features/challenges/themes.ts'
import { challengeWeekOf, weekStart } from '#features/challenges/weeks.ts'
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

/** A week's challenge that a member did, by a dog from that week or from before, and since when. */
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
  readonly #weeks = new Map<number, WeekDone>()
  readonly #lastWeek: number
  /** The oldest dog of each breed that is one. */
  readonly oldestOfBreed = new Map<string, { id: string; createdAt: number }>()
  readonly #shelves: Shelves[] = BADGES.map((badge) => ({
    badge,
    shelves: new Map(),
    state: { badge: badge.key, progress: 0, dogId: null, earnedAt: null },
  }))

  /** @param now no later week is done, but that of a dog itself */
  constructor(now: number) {
    this.#lastWeek = challengeWeekOf(now)
  }

  add(dog: AlbumDog): void {
    this.#addWeeks(dog)
    const { slug, isMixed } = dog.breed
    if (!isMixed && !this.oldestOfBreed.has(slug))
      this.oldestOfBreed.set(slug, { id: dog.id, createdAt: dog.createdAt })
    for (const { badge, shelves, state } of this.#shelves)
      for (const { shelf = '', item } of state.dogId === null ? (badge.count?.(dog) ?? []) : []) {
        const found = shelves.get(shelf) ?? new Set()
        shelves.set(shelf, found.add(item))
        state.progress = Math.max(state.progress, found.size)
        if (state.progress < badge.target) continue
        Object.assign(state, { dogId: dog.id, earnedAt: dog.createdAt })
        break
      }
  }

  /** A week takes the first dog that fits, so that it rewards nobody for adding one in that week. */
  #addWeeks(dog: AlbumDog): void {
    const first = challengeWeekOf(dog.createdAt)
    for (let week = Math.max(first, 0); week <= Math.max(first, this.#lastWeek); week++)
      if (!this.#weeks.has(week) && fitsWeek(week, dog))
        this.#weeks.set(week, { week, dogId: dog.id, joinedAt: Math.max(dog.createdAt, weekStart(week)) })
  }

  /** In their order. */
  weeks(): WeekDone[] {
    return [...this.#weeks.values()].toSorted((a, b) => a.week - b.week)
  }

  /** The badges that have been begun. */
  states(): BadgeState[] {
    const weeks = this.weeks()
    for (const { badge, state } of this.#shelves) {
      const last = weeks[badge.target - 1]
      if (badge.isOfWeeks && last) Object.assign(state, { dogId: last.dogId, earnedAt: last.joinedAt })
      if (badge.isOfWeeks) state.progress = Math.min(weeks.length, badge.target)
    }
    return this.#shelves.map(({ state }) => state).filter(({ progress }) => progress > 0)
  }
}
