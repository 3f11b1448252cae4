import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  id: string
  label: string
  names: readonly string[]
  /** Which option the keys stand on; -1 for none. */
  active: number
  onChoose: (name: string) => void
  /** What an option shows. */
  children: (name: string) => ReactNode
}

/** The option's id, for the field's aria-activedescendant. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** The list of a combobox of the form. The field keeps the focus and its keys; the list only follows and is clicked. */
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
