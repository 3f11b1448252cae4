import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { type Photo, wrapIndex } from './gallery.ts'

interface Props {
  photos: Photo[]
  at: number
  go: (at: number) => void
  close: () => void
}

/** One photo, big; the arrows go round the ends (docs/product.md §11.2). A dialog of its own, over the form's. */
export function PhotoPreview({ photos, at, go, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const photo = photos[at]!
  const step = (by: number) => go(wrapIndex(at, by, photos.length))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows and backdrop are shortcuts of its buttons
    <dialog
      ref={dialog}
      className="df-preview"
      aria-label={`Foto ${at + 1} de ${photos.length}`}
      onClose={(event) => {
        // `close` bubbles in React's tree, though not in the document's: the form's dialog must not hear it.
        event.stopPropagation()
        close()
      }}
      onCancel={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <img src={photo.src} alt={photo.alt.trim() || `Foto ${at + 1} de ${photos.length}`} />
      <button type="button" className="btn icon df-preview-close" aria-label="Cerrar" onClick={close}>
        <X aria-hidden />
      </button>
      {photos.length > 1 && (
        <div className="df-preview-nav">
          <button type="button" className="btn icon" aria-label="Foto anterior" onClick={() => step(-1)}>
            <ChevronLeft aria-hidden />
          </button>
          <span className="num" aria-live="polite">
            {at + 1} / {photos.length}
          </span>
          <button type="button" className="btn icon" aria-label="Foto siguiente" onClick={() => step(1)}>
            <ChevronRight aria-hidden />
          </button>
        </div>
      )}
    </dialog>
  )
}
