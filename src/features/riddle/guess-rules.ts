import { AppError } from '#lib/errors.ts'
import { RIDDLE_TEXTS, stateOf } from './riddle.ts'

/**
 * Whether a player may guess `slug` after their earlier guesses.
 * @throws AppError 409 where the game has ended, or for a breed that was guessed before
 */
export function assertMayGuess(guesses: readonly string[], answer: string, slug: string): void {
  const state = stateOf(guesses, answer)
  if (state === 'won') throw new AppError(409, RIDDLE_TEXTS.solved)
  if (state === 'lost') throw new AppError(409, RIDDLE_TEXTS.finished)
  if (guesses.includes(slug)) throw new AppError(409, RIDDLE_TEXTS.repeated)
}
