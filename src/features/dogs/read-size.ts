import { foldText } from '#lib/text/text.ts'
import { SIZES, type Size } from './dogs.ts'

/** The size in `text`, ignoring case, spaces (docs/product.md §4.1) and accents; undefined for any other text. */
export function readSize(text: string): Size | undefined {
  const key = foldText(text).replace(/\s+/g, '')
  return SIZES.find((size) => foldText(size) === key)
}
