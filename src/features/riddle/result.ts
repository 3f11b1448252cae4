import { DAY_MS } from '#lib/time.ts'
import { FIRST_DAY, type Game, isDay, MAX_GUESSES, noonOf, riddleDay } from './riddle.ts'

/** How a game ended, without its breed: the guesses that it took, or `x`. Addresses hold it, so that a shared link shows a picture of it. */
export type RiddleResult = '1' | '2' | '3' | '4' | '5' | '6' | 'x'

const isResult = (text: string): text is RiddleResult => /^[1-6x]$/.test(text)

/** The query parameter of a shared link. */
export const RESULT_PARAM = 'resultado'

/** The result of an address; null where it says none. */
export const readResult = (search: URLSearchParams): RiddleResult | null => {
  const text = search.get(RESULT_PARAM) ?? ''
  return isResult(text) ? text : null
}

/** The result of a game that has ended. */
export const toResult = ({ state, guesses }: Pick<Game, 'state' | 'guesses'>): RiddleResult =>
  state === 'won' ? (String(guesses.length) as RiddleResult) : 'x'

/** «1» for the first riddle, one more each day. */
export const riddleNumber = (day: string): number => Math.round((noonOf(day) - noonOf(FIRST_DAY)) / DAY_MS) + 1

/** The name of a result's picture: `2026-11-26-3`. */
export const resultName = (day: string, result: RiddleResult): string => `${day}-${result}`

/** The day and result of such a name; null for others, and for days that have no riddle yet. */
export function parseResultName(name: string, now = Date.now()): { day: string; result: RiddleResult } | null {
  const [day, result] = [name.slice(0, 10), name.slice(11)]
  if (name[10] !== '-' || !isDay(day) || !isResult(result)) return null
  return day < FIRST_DAY || day > riddleDay(now) ? null : { day, result }
}

/** The result in words. */
export const resultText = (result: RiddleResult): string =>
  result === 'x'
    ? `Sin acertar en ${MAX_GUESSES} intentos`
    : result === '1'
      ? 'Acertada a la primera'
      : `Acertada en ${result} de ${MAX_GUESSES} intentos`
