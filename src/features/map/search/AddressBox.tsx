import { CircleAlert, LoaderCircle, MapPin, Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import type { Geocode } from '#features/places/places.ts'
import { isComposing } from '#ui/typing.client.ts'
import type { AddressMessage } from './search-runner.client.ts'
import { useSearch } from './useSearch.client.ts'
import './search.css'

interface Props {
  /** Moves the map to a place (docs/product.md §16.3: zoom 14 in a second). */
  onPlace: (place: Geocode) => void
  /** Whether a dog's popup is open, which may reach up to the message. */
  hasPopup: boolean
}

const ICONS = { found: MapPin, busy: LoaderCircle, note: CircleAlert, problem: CircleAlert } as const

/** The search box over the map (docs/product.md §16.3). */
export function AddressBox({ onPlace, hasPopup }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { typed, message, type, enter, clear, dismiss } = useSearch(onPlace)
  // Text that was typed before the script was loaded.
  const searchTyped = useEffectEvent(() => {
    if (input.current?.value) type(input.current.value)
  })
  useEffect(() => {
    const timer = setTimeout(searchTyped)
    return () => clearTimeout(timer)
  }, [])
  // The message would cover the dog.
  useEffect(() => {
    if (hasPopup) dismiss()
  }, [hasPopup, dismiss])
  const empty = () => {
    clear()
    input.current?.focus()
  }
  return (
    // No form: before the script is loaded, Enter would submit it and leave the map.
    <div className="address" role="search" aria-label="Dirección en el mapa">
      <div className="search">
        <Search className="ic" aria-hidden />
        <label className="sr" htmlFor={id}>
          Buscar dirección
        </label>
        <input
          ref={input}
          id={id}
          className="input"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder="Buscar dirección"
          aria-describedby={`${id}-message`}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return
            if (event.key === 'Enter') {
              enter()
              // A phone's keyboard would cover the map.
              if (matchMedia('(hover: none)').matches) input.current?.blur()
            } else if (event.key === 'Escape' && typed) {
              event.preventDefault()
              empty()
            }
          }}
        />
        {typed && (
          <button type="button" className="soft center address-clear" aria-label="Borrar la búsqueda" onClick={empty}>
            <X className="ic" aria-hidden />
          </button>
        )}
      </div>
      <div id={`${id}-message`} role="status">
        {message && <SearchMessage {...message} />}
      </div>
    </div>
  )
}

function SearchMessage({ kind, text }: AddressMessage) {
  const Icon = ICONS[kind]
  return (
    <p className={`address-message ${kind}`}>
      <Icon className={kind === 'busy' ? 'ic spin' : 'ic'} aria-hidden />
      <span>{text}</span>
    </p>
  )
}
