import { MapPin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { SUGGEST_MIN_CHARS } from '#features/places/places.ts'
import type { FieldControl } from './Field.tsx'
import { HighlightedMatch, OptionList } from './OptionList.tsx'
import { useCombobox } from './useCombobox.client.ts'
import { fetchPlaceNames } from '#features/dogs/form/form-api.client.ts'

/** Waits for a pause in typing, so that one word is one request. */
const DEBOUNCE_MS = 150
const NO_NAMES: readonly string[] = []

interface Props {
  control: FieldControl
  value: string
  onChange: (zone: string) => void
  /** The field loses the focus. */
  onLeave: () => void
}

/** The zone's combobox: accepts any text, and suggests towns and quarters. */
export function ZonePicker({ control, value, onChange, onLeave }: Props) {
  /** The text typed since the last choice; null without one. */
  const [typed, setTyped] = useState<string | null>(null)
  const [names, setNames] = useState<readonly string[]>([])
  const popup = useRef<HTMLDivElement>(null)
  const isOpen = typed !== null && names.length > 0

  const close = () => {
    setTyped(null)
    setNames([])
    setActive(-1)
  }
  const choose = (name: string) => {
    onChange(name)
    close()
  }
  const { listId, active, setActive, inputProps } = useCombobox({ names, isOpen, close, choose, isFieldStop: true })

  useEffect(() => {
    const text = typed?.trim() ?? ''
    if (text.length < SUGGEST_MIN_CHARS) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      fetchPlaceNames(text, controller.signal)
        .then((found) => {
          setActive(-1)
          setNames(found)
        })
        // The field works without suggestions, for example offline.
        .catch(() => controller.signal.aborted || setNames([]))
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed, setActive])

  // The field is low in the form: the list must not open below the dialog's edge or a phone's keyboard.
  useEffect(() => {
    if (isOpen) popup.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, names])

  const onType = (text: string) => {
    onChange(text)
    setTyped(text)
    setActive(-1)
    if (text.trim().length < SUGGEST_MIN_CHARS) setNames([])
  }

  return (
    <div className="df-pick df-zone">
      <input
        {...control}
        {...inputProps}
        name="zone"
        autoCapitalize="words"
        placeholder="Municipio o barrio"
        value={value}
        onChange={(event) => onType(event.target.value)}
        onBlur={() => {
          close()
          onLeave()
        }}
      />
      <div className="df-pick-pop" hidden={!isOpen} ref={popup}>
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

const countText = (count: number) => (count === 1 ? '1 lugar propuesto' : `${count} lugares propuestos`)
