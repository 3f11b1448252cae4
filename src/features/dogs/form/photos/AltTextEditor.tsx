import { MessageSquarePlus, MessageSquareText } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { countCharacters, truncateCharacters } from '#lib/text/text.ts'
import { ALT_MAX_CHARS } from '#features/dogs/write/dog-input.ts'
import type { Photo } from './gallery.ts'

interface AltTextButtonProps {
  photo: Photo
  /** Its place, from 1. */
  place: number
  isOpen: boolean
  disabled: boolean
  onClick: () => void
}

/** Opens the words of a photo; another drawing and colour, and another name, once it has some. */
export function AltTextButton({ photo, place, isOpen, disabled, onClick }: AltTextButtonProps) {
  const isDescribed = photo.alt.trim() !== ''
  const word = isDescribed ? 'Descripción' : 'Describir'
  const label = isDescribed ? `Descripción de la foto ${place}` : `Describir foto ${place}`
  return (
    <button
      type="button"
      className="df-knob df-tell"
      aria-label={label}
      aria-expanded={isOpen}
      aria-controls={isOpen ? 'df-words' : undefined}
      data-described={isDescribed || undefined}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {isDescribed ? <MessageSquareText aria-hidden /> : <MessageSquarePlus aria-hidden />}
      <span>{word}</span>
    </button>
  )
}

interface Props {
  photo: Photo
  /** Its place, from 1; null for the only one. */
  place: number | null
  /** What is said of it while nothing stands here. */
  defaultAlt: string
  change: (alt: string) => void
  done: () => void
}

/** What a photo shows, for those who cannot see it: one field for whichever photo was chosen, under all of them. */
export function AltTextEditor({ photo, place, defaultAlt, change, done }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    field.current?.focus()
    root.current?.scrollIntoView({ block: 'nearest' })
  }, [photo.id])
  // One line: Enter is through with it, as on a phone's keyboard; Escape must not close the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    done()
  }
  return (
    <div ref={root} className="df-words" id="df-words">
      <img src={photo.src} alt="" />
      <span className="df-words-head">
        <label className="lab" htmlFor="df-alt">
          {place === null ? 'Descripción de la foto' : `Descripción de la foto ${place}`}
        </label>
        <span className="hint" id="df-alt-hint">
          La oirá quien no puede verla. Si la dejas vacía: nombre, raza y zona.
        </span>
      </span>
      <textarea
        ref={field}
        id="df-alt"
        className="input"
        rows={3}
        aria-describedby="df-alt-hint df-alt-count"
        enterKeyHint="done"
        placeholder={defaultAlt}
        value={photo.alt}
        onChange={(event) => change(truncateCharacters(event.target.value, ALT_MAX_CHARS))}
        onKeyDown={onKeyDown}
      />
      <span className="hint num" id="df-alt-count">
        {countCharacters(photo.alt)}/{ALT_MAX_CHARS}
      </span>
      <button type="button" className="btn" onClick={done}>
        Listo
      </button>
    </div>
  )
}
