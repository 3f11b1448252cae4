import * as z from 'zod/mini'
import { LEVELS, ROUND_TEXTS } from './round.ts'

export const levelInput = z.object({ level: z.enum(LEVELS, ROUND_TEXTS.unknownLevel) })

/** The place of the chosen answer; forms send it as text. */
export const answerInput = z.object({
  answer: z.literal([0, 1, 2, 3, '0', '1', '2', '3'], ROUND_TEXTS.unknownAnswer),
})
