import type { DogFacts } from './facts.ts'
import type { Theme } from './theme.ts'
import { LOOKS_THEMES } from './themes-by-looks.ts'
import { ORIGIN_THEMES } from './themes-by-origin.ts'
import { WORK_THEMES } from './themes-by-work.ts'

/** The themes in the order of their weeks: work, origin and looks take turns. Their order says which week had which, so it stays. */
export const THEMES: readonly Theme[] = ORIGIN_THEMES.flatMap((theme, i) => [theme, WORK_THEMES[i]!, LOOKS_THEMES[i]!])

/** The theme of a week; undefined before the first one. */
export const themeOf = (week: number): Theme | undefined => (week < 0 ? undefined : THEMES[week % THEMES.length])

/** Whether a dog that was added in a week does its challenge. */
export const fitsWeek = (week: number, dog: DogFacts): boolean => themeOf(week)?.fits(dog) ?? false
