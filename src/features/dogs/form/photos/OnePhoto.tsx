import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { wrapIndex } from '#lib/numbers.ts'
import { countCharacters, truncateCharacters } from '#lib/text/text.ts'
import { ALT_MAX_CHARS } from '#features/dogs/write/dog-fields.ts'
import { isComposing } from '#ui/typing.client.ts'
import type { Photo } from './gallery.ts'

// What the gallery shows of one photo. It comes with the first one.

interface EditorProps {
  photo: Photo
  /** Its position, from 1; null for the only one. */
  position: number | null
  /** The alt text without a description. */
  defaultAlt: string
  change: (alt: string) => void
  done: () => void
}

/** The field for the description of the chosen photo, under the gallery. */
export function AltTextEditor({ photo, position, defaultAlt, change, done }: EditorProps) {
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

interface PreviewProps {
  photos: Photo[]
  index: number
  go: (index: number) => void
  close: () => void
}

/** One photo, large, in a dialog above the form's. The arrows wrap around (docs/product.md §11.2). */
export function PhotoPreview({ photos, index, go, close }: PreviewProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const photo = photos[index]!
  const step = (by: number) => go(wrapIndex(index, by, photos.length))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows and backdrop are shortcuts of its buttons
    <dialog
      ref={dialog}
      className="df-preview"
      aria-label={`Foto ${index + 1} de ${photos.length}`}
      onClose={(event) => {
        // React bubbles `close`, unlike the document: the form's dialog must not receive it.
        event.stopPropagation()
        close()
      }}
      onCancel={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <img src={photo.src} alt={photo.alt.trim() || `Foto ${index + 1} de ${photos.length}`} />
      <button type="button" className="btn icon df-preview-close" aria-label="Cerrar" onClick={close}>
        <X aria-hidden />
      </button>
      {photos.length > 1 && (
        <div className="row df-preview-nav">
          <button type="button" className="btn icon" aria-label="Foto anterior" onClick={() => step(-1)}>
            <ChevronLeft aria-hidden />
          </button>
          <span className="num" aria-live="polite">
            {index + 1} / {photos.length}
          </span>
          <button type="button" className="btn icon" aria-label="Foto siguiente" onClick={() => step(1)}>
            <ChevronRight aria-hidden />
          </button>
        </div>
      )}
    </dialog>
  )
}
