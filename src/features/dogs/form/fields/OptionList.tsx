import { type ReactNode, useEffect, useRef } from 'react'
import { splitMatch } from './split-match.ts'

interface Props {
  id: string
  label: string
  names: readonly string[]
  /** The option that the keys have reached; -1 for none. */
  active: number
  onChoose: (name: string) => void
  /** Renders an option. */
  children: (name: string) => ReactNode
}

/** The option's id, for the field's aria-activedescendant. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** The list of a combobox of the form. The field keeps the focus and handles the keys; the list handles clicks. */
export function OptionList({ id, label, names, active, onChoose, children }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active, names])
  return (
    <div
      role="listbox"
      id={id}
      aria-label={label}
      tabIndex={-1}
      className="df-list"
      ref={list}
      onMouseDown={(event) => event.preventDefault()}
    >
      {names.map((name, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field holds the focus and its keys
        <div
          key={name}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className="df-opt"
          onClick={() => onChoose(name)}
        >
          {children(name)}
        </div>
      ))}
    </div>
  )
}

/** An option's name with the typed part highlighted. */
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
