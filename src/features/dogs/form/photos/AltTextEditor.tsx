import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { countCharacters, truncateCharacters } from '#lib/text/text.ts'
import { ALT_MAX_CHARS } from '#features/dogs/write/dog-fields.ts'
import { isComposing } from '#ui/typing.client.ts'
import type { Photo } from './gallery.ts'

export interface AltTextEditorProps {
  photo: Photo
  /** Its position, from 1; null for the only one. */
  position: number | null
  /** The alt text without a description. */
  defaultAlt: string
  change: (alt: string) => void
  done: () => void
}

/** The field for the description of the chosen photo, under the gallery. */
export function AltTextEditor({ photo, position, defaultAlt, change, done }: AltTextEditorProps): ReactNode {
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    field.current?.focus()
    root.current?.scrollIntoView({ block: 'nearest' })
  }, [photo.id])
  // A description is one line: Enter closes the field, as «listo» does on a phone. Escape must not close the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    done()
  }
  return (
    <div ref={root} className="df-words" id="df-words">
      <img src={photo.src} alt="" />
      <span className="df-words-head">
        <label className="lab" htmlFor="df-alt">
          {position === null ? 'Descripción de la foto' : `Descripción de la foto ${position}`}
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
