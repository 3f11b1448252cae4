import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { stepOption } from '#lib/combobox.ts'
import { isComposing } from '#ui/typing.client.ts'
import { splitMatch } from './split-match.ts'

interface Props extends Omit<ComponentProps<'input'>, 'children'> {
  /** The name of the list. */
  label: string
  /** The options; another list forgets which option the keys had reached. None while the list is closed. */
  names: readonly string[]
  isOpen: boolean
  /** The option that a list begins with; -1 for none. */
  first: number
  /** Opens the list with an arrow key or Enter. Without it these keys keep their default on a closed list. */
  open?: () => void
  close: () => void
  choose: (name: string) => void
  onType: (text: string) => void
  /** Whether the arrow keys stop at the field between the last and the first option. */
  isFieldStop?: boolean
  /** Whether Tab chooses the active option before it leaves the field. */
  choosesOnTab?: boolean
  /** What screen readers hear of the list; '' for nothing. */
  status: string
  /** Renders an option. */
  children: (name: string) => ReactNode
  /** Stands in the field before the text. */
  before?: ReactNode
  /** Stands in the field behind the text. */
  after?: ReactNode
  /** What the list says without options. */
  none?: string
  popup?: RefObject<HTMLDivElement | null>
}

/**
 * A combobox (ARIA 1.2): the field keeps the focus and handles the keys, aria-activedescendant names the option, and the list handles
 * clicks.
 */
export function Combobox({
  label,
  names,
  isOpen,
  first,
  open,
  close,
  choose,
  onType,
  isFieldStop = false,
  choosesOnTab = false,
  status,
  children,
  before,
  after,
  none,
  popup,
  className = '',
  ...input
}: Props) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [reached, setReached] = useState<{ names: readonly string[]; index: number } | null>(null)
  const active = reached?.names === names ? reached.index : first
  const activeName = isOpen ? names[active] : undefined
  const optionId = (index: number) => `${listId}-${index}`
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active, names])

  /** True for a key that needs no default. */
  const handleKey = (event: KeyboardEvent): boolean => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : -1
        if (isOpen) setReached({ names, index: stepOption(active, step, names.length, isFieldStop) })
        else open?.()
        return isOpen || open !== undefined
      }
      case 'Enter':
        if (activeName !== undefined) choose(activeName)
        else if (!isOpen) open?.()
        // A combobox that opens by keys never submits the form.
        return activeName !== undefined || open !== undefined
      case 'Escape':
        if (!isOpen) return false
        // Closes the list, not the dialog.
        event.stopPropagation()
        close()
        return true
      case 'Tab':
        if (activeName !== undefined && choosesOnTab) choose(activeName)
        return false
      default:
        return false
    }
  }

  return (
    <div className={`df-pick ${className}`} data-open={isOpen || undefined}>
      <div className={before ? 'df-pick-box' : undefined}>
        {before}
        <input
          className="input"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeName === undefined ? undefined : optionId(active)}
          autoComplete="off"
          enterKeyHint="done"
          spellCheck={false}
          onKeyDown={(event) => {
            if (!isComposing(event.nativeEvent) && handleKey(event)) event.preventDefault()
          }}
          onChange={(event) => {
            setReached(null)
            onType(event.target.value)
          }}
          {...input}
        />
        {after}
      </div>
      <div className="df-pick-pop" hidden={!isOpen} ref={popup}>
        <div
          role="listbox"
          id={listId}
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
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              className="row df-opt"
              onClick={() => choose(name)}
            >
              {children(name)}
            </div>
          ))}
        </div>
        {isOpen && names.length === 0 && none && <p className="soft df-none">{none}</p>}
      </div>
      <span className="sr" role="status">
        {status}
      </span>
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
