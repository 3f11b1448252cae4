import { MapPin } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { SUGGEST_MIN_CHARS } from '#features/places/places.ts'
import type { FieldControl } from './Field.tsx'
import { HighlightedMatch, OptionList, optionId } from './OptionList.tsx'
import { fetchPlaceNames } from '#features/dogs/form/form-api.client.ts'

/** Between keys, so that a word typed in one go is one question. */
const DEBOUNCE_MS = 150
const NO_NAMES: readonly string[] = []

interface Props {
  control: FieldControl
  value: string
  onChange: (zone: string) => void
  /** The person goes on to another field. */
  onLeave: () => void
}

/** The zone's combobox: any text may stand, and towns and quarters are proposed while one types. */
export function ZonePicker({ control, value, onChange, onLeave }: Props) {
  const listId = useId()
  /** What was typed last and not yet chosen from the list; null before and after. */
  const [typed, setTyped] = useState<string | null>(null)
  const [names, setNames] = useState<readonly string[]>([])
  const [active, setActive] = useState(-1)
  const pop = useRef<HTMLDivElement>(null)
  const isOpen = typed !== null && names.length > 0

  useEffect(() => {
    const text = typed?.trim() ?? ''
    if (text.length < SUGGEST_MIN_CHARS) return
    const asking = new AbortController()
    const timer = setTimeout(() => {
      fetchPlaceNames(text, asking.signal)
        .then((found) => {
          setActive(-1)
          setNames(found)
        })
        // The field works without proposals: whoever is offline goes on typing.
        .catch(() => asking.signal.aborted || setNames([]))
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [typed])

  // The field stands low in the form: its list must not open under the edge, nor under a phone's keyboard.
  useEffect(() => {
    if (isOpen) pop.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, names])

  const close = () => {
    setTyped(null)
    setNames([])
    setActive(-1)
  }
  const choose = (name: string) => {
    onChange(name)
    close()
  }
  const type = (text: string) => {
    onChange(text)
    setTyped(text)
    setActive(-1)
    if (text.trim().length < SUGGEST_MIN_CHARS) setNames([])
  }
  /** From the field into the list and around, by way of the field itself. */
  const step = (by: number) => {
    const places = names.length + 1
    setActive(((active + 1 + by + places) % places) - 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Enter' && names[active]) choose(names[active])
    else if (event.key === 'Escape') {
      // The list closes, not the dialog.
      event.stopPropagation()
      close()
    } else return
    event.preventDefault()
  }

  return (
    <div className="df-pick df-zone">
      <input
        {...control}
        className="input"
        name="zone"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? optionId(listId, active) : undefined}
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="done"
        spellCheck={false}
        placeholder="Municipio o barrio"
        value={value}
        onChange={(event) => type(event.target.value)}
        onBlur={() => {
          close()
          onLeave()
        }}
        onKeyDown={onKeyDown}
      />
      <div className="df-pick-pop" hidden={!isOpen} ref={pop}>
        <OptionList
          id={listId}
          label="Municipios y barrios"
          names={isOpen ? names : NO_NAMES}
          active={active}
          onChoose={choose}
        >
          {(name) => (
            <>
              <MapPin aria-hidden />
              <HighlightedMatch name={name} typed={typed} />
            </>
          )}
        </OptionList>
      </div>
      <span className="sr" role="status">
        {isOpen ? countText(names.length) : ''}
      </span>
    </div>
  )
}

const countText = (n: number) => (n === 1 ? '1 lugar propuesto' : `${n} lugares propuestos`)
