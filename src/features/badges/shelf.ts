import { themeOf } from '#features/challenges/themes.ts'
import { weekStart } from '#features/challenges/weeks.ts'
import type { Motif } from '#features/challenges/motifs.ts'
import { BADGES } from './badge-list.ts'
import type { BadgeState, WeekDone } from './decide.ts'
import type { Ground } from './drawings.ts'
import { groundOfTheme } from './week-badge.ts'

/** An earned badge as it is shown. */
export interface ShelfBadge {
  title: string
  motif: Motif
  ground: Ground
  isWeekly: boolean
  /** Of a badge: when it was earned. Of a week's challenge: when the week began. */
  date: number
  /** When the dog was added that earned it, by which they are sorted. */
  earnedAt: number
}

/** What a member has earned, the newest first. */
export function shelfOf({
  badges,
  weeks,
}: {
  badges: readonly BadgeState[]
  weeks: readonly WeekDone[]
}): ShelfBadge[] {
  const earned = BADGES.flatMap(({ key, title, motif, ground }) => {
    const earnedAt = badges.find(({ badge }) => badge === key)?.earnedAt ?? null
    return earnedAt === null ? [] : [{ title, motif, ground, isWeekly: false, date: earnedAt, earnedAt }]
  })
  const weekly = weeks.flatMap(({ week, joinedAt }) => {
    const theme = themeOf(week)
    if (!theme) return []
    const { title, motif } = theme
    return [{ title, motif, ground: groundOfTheme(theme), isWeekly: true, date: weekStart(week), earnedAt: joinedAt }]
  })
  return [...earned, ...weekly].toSorted((a, b) => b.earnedAt - a.earnedAt)
}
