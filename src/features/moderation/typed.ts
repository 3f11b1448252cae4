import * as z from 'zod/mini'
import { countCharacters, tidyText } from '#lib/text.ts'

/** What is longer is refused unread: counting takes a while. */
const LENGTH_MAX = 16 * 1024

/**
 * What somebody typed, tidied as every text is: '' where nobody would see anything.
 * @param limit characters as a person counts them
 * @param says the words for what is longer, and for what is no text at all
 */
export const typedText = (limit: number, says: { long: string; none?: string }) =>
  z.string(says.none ?? says.long).check(
    z.maxLength(LENGTH_MAX, says.long),
    z.overwrite(tidyText),
    z.refine((text) => countCharacters(text) <= limit, says.long),
  )
