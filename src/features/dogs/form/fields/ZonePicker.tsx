import { MapPin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fetchPlaceNames } from '#features/dogs/form/form-api.client.ts'
import { SUGGEST_MIN_CHARS } from '#features/places/places.ts'
import { Combobox, HighlightedMatch } from './Combobox.tsx'
import type { FieldControl } from './Field.tsx'

/** Waits for a pause in typing, so that one word is one request. */
const DEBOUNCE_MS = 150

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

  useEffect(() => {
    const text = typed?.trim() ?? ''
    if (text.length < SUGGEST_MIN_CHARS) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      fetchPlaceNames(text, controller.signal)
        .then(setNames)
        // The field works without suggestions, for example offline.
        .catch(() => controller.signal.aborted || setNames([]))
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed])

  // The field is low in the form: the list must not open below the dialog's edge or a phone's keyboard.
  useEffect(() => {
    if (isOpen) popup.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, names])

  const close = () => {
    setTyped(null)
    setNames([])
  }
  return (
    <Combobox
      {...control}
      className="df-zone"
      label="Municipios y barrios"
      names={names}
      isOpen={isOpen}
      first={-1}
      isFieldStop
      popup={popup}
      close={close}
      choose={(name) => {
        onChange(name)
        close()
      }}
      onType={(text) => {
        onChange(text)
        setTyped(text)
        if (text.trim().length < SUGGEST_MIN_CHARS) setNames([])
      }}
      onBlur={() => {
        close()
        onLeave()
      }}
      name="zone"
      autoCapitalize="words"
      placeholder="Municipio o barrio"
      value={value}
      status={isOpen ? (names.length === 1 ? '1 lugar propuesto' : `${names.length} lugares propuestos`) : ''}
    >
      {(name) => (
        <>
          <MapPin aria-hidden />
          <HighlightedMatch name={name} typed={typed} />
        </>
      )}
    </Combobox>
  )
}
