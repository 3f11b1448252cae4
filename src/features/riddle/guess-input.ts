import * as z from 'zod/mini'
import { RIDDLE_TEXTS } from './riddle.ts'

/** Longer than any name of a breed. */
const MAX_CHARACTERS = 120

/** A guess: the breed's name as it was typed, or its slug. */
export const guessInput = z.object({
  breed: z
    .string(RIDDLE_TEXTS.empty)
    .check(z.trim(), z.minLength(1, RIDDLE_TEXTS.empty), z.maxLength(MAX_CHARACTERS, RIDDLE_TEXTS.unknownBreed)),
})
