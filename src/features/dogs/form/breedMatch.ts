import { fold } from '#lib/text.ts'

/** `name` in three: before what was typed, the typed part, after it. Accents and case aside; null where it is not in it. */
export function splitMatch(name: string, typed: string): [string, string, string] | null {
  const wanted = fold(typed.trim())
  if (!wanted) return null
  let folded = ''
  // Where each folded character came from: one letter with its accent may be one or two code units.
  const origin: number[] = []
  let at = 0
  for (const character of name) {
    const plain = fold(character)
    for (let i = 0; i < plain.length; i++) origin.push(at)
    folded += plain
    at += character.length
  }
  const start = folded.search(new RegExp(`(?<![a-z0-9])${escape(wanted)}`))
  const from = start >= 0 ? start : folded.indexOf(wanted)
  if (from < 0) return null
  const first = origin[from]!
  const end = origin[from + wanted.length] ?? name.length
  return [name.slice(0, first), name.slice(first, end), name.slice(end)]
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
