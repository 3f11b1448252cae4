import { foldText } from '#lib/text/text.ts'

/** Splits `name` around the typed text, ignoring accents and case: before, match, after. Null without a match. */
export function splitMatch(name: string, typed: string): [string, string, string] | null {
  const query = foldText(typed.trim())
  if (!query) return null
  let folded = ''
  // The index in `name` of each folded character: an accented letter may be one or two code units.
  const origin: number[] = []
  let index = 0
  for (const character of name) {
    const plain = foldText(character)
    for (let i = 0; i < plain.length; i++) origin.push(index)
    folded += plain
    index += character.length
  }
  const start = wordStart(folded, query)
  const from = start >= 0 ? start : folded.indexOf(query)
  if (from < 0) return null
  const first = origin[from]!
  const end = origin[from + query.length] ?? name.length
  return [name.slice(0, first), name.slice(first, end), name.slice(end)]
}

/** The index in `text` of the first word that begins with `query`, or -1. */
function wordStart(text: string, query: string): number {
  let index = text.indexOf(query)
  while (index > 0 && /[a-z0-9]/.test(text[index - 1]!)) index = text.indexOf(query, index + 1)
  return index
}
