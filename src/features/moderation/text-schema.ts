import * as z from 'zod/mini'
import { countCharacters, normaliseText } from '#lib/text/text.ts'

/** What is longer is refused unread: counting takes a while. */
const MAX_INPUT_CODE_UNITS = 16 * 1024

/**
 * What somebody typed, tidied as every text is: '' where nobody would see anything.
 * @param limit characters as a person counts them
 * @param says the words for what is longer, and for what is no text at all
 */
export const textSchema = (limit: number, says: { long: string; none?: string }) =>
  z.string(says.none ?? says.long).check(
    z.maxLength(MAX_INPUT_CODE_UNITS, says.long),
    z.overwrite(normaliseText),
    z.refine((text) => countCharacters(text) <= limit, says.long),
  )
