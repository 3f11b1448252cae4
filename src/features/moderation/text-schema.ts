import * as z from 'zod/mini'
import { normaliseText } from '#lib/text/normalise.ts'
import { countCharacters } from '#lib/text/text.ts'

/** A longer text is refused before its characters are counted, which is slow. */
const MAX_INPUT_CODE_UNITS = 16 * 1024
/**
 * UTF-16 code units of a character on average: a family of four, the longest emoji that keyboards offer without skin tones, has eleven. One
 * character can consist of thousands (chains of emoji), and the time to render or filter a text grows with its units.
 */
const UNITS_PER_CHARACTER = 12
/** A short text may consist of the longest emoji. */
const MIN_CODE_UNITS = 200

/**
 * A typed text, normalised; '' where nothing of it is visible.
 * @param limit characters as a person counts them
 * @param messages Spanish errors: `long` for a longer text, `none` for a value that is no string
 */
export const textSchema = (limit: number, messages: { long: string; none?: string }) =>
  z.string(messages.none ?? messages.long).check(
    z.maxLength(MAX_INPUT_CODE_UNITS, { error: messages.long, abort: true }),
    z.overwrite(normaliseText),
    z.maxLength(Math.max(UNITS_PER_CHARACTER * limit, MIN_CODE_UNITS), { error: messages.long, abort: true }),
    z.refine((text) => countCharacters(text) <= limit, messages.long),
  )
