import { LOOKS_THEMES, type Theme, WORK_THEMES } from '#features/challenges/themes.ts'
import type { Ground } from './drawings.ts'

/** The colour of a week's badge says what its theme is about: origin, work or looks. */
export function groundOfTheme(theme: Theme): Ground {
  if (WORK_THEMES.includes(theme)) return 'park'
  return LOOKS_THEMES.includes(theme) ? 'plum' : 'sky'
}
