import { RESULT_PARAM } from './result.ts'

/** Addresses of the riddles. `paths` (src/lib/paths.ts) reaches every page's script: it has today's alone. */
export const riddlePaths = {
  /** The riddle of a day, `2026-11-26`. @param notice why the last guess was refused (riddle.ts) */
  of: (day: string, notice?: string) => `/reto/${day}${notice ? `?aviso=${notice}` : ''}`,
  /** One of its pictures; `token` tells nothing of the breed. */
  picture: (day: string, token: string) => `/reto/${day}/${token}.png`,
  /** The link that a player shares: its preview is a picture of their result (result.ts). */
  shared: (day: string, result: string) => `/reto/${day}?${RESULT_PARAM}=${result}`,
  guesses: (day: string) => `/api/reto/${day}/guesses`,
} as const
