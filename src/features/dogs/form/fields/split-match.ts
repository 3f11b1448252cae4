import { foldText } from '#lib/text/text.ts'

/** `name` in three: before what was typed, the typed part, after it. Accents and case aside; null where it is not in it. */
export function splitMatch(name: string, typed: string): [string, string, string] | null {
  const wanted = foldText(typed.trim())
  if (!wanted) return null
  let folded = ''
  // Where each folded character came from: one letter with its accent may be one or two code units.
  const origin: number[] = []
  let at = 0
  for (const character of name) {
    const plain = foldText(character)
    for (let i = 0; i < plain.length; i++) origin.push(at)
    folded += plain
    at += character.length
  }
  const start = wordStart(folded, wanted)
  const from = start >= 0 ? start : folded.indexOf(wanted)
  if (from < 0) return null
  const first = origin[from]!
  const end = origin[from + wanted.length] ?? name.length
  return [name.slice(0, first), name.slice(first, end), name.slice(end)]
}

/** Where `wanted` first begins a word of `text`, or -1. */
function wordStart(text: string, wanted: string): number {
  let at = text.indexOf(wanted)
  while (at > 0 && /[a-z0-9]/.test(text[at - 1]!)) at = text.indexOf(wanted, at + 1)
  return at
}
