import { splitMatch } from './split-match.ts'

/** An option's name with the part that was typed set off. */
export function HighlightedMatch({ name, typed }: { name: string; typed: string | null }) {
  const parts = typed ? splitMatch(name, typed) : null
  if (!parts) return <span className="df-opt-name">{name}</span>
  const [before, match, after] = parts
  return (
    <span className="df-opt-name">
      {before}
      <mark>{match}</mark>
      {after}
    </span>
  )
}
