import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { wrapIndex } from '#lib/numbers.ts'
import type { Photo } from './gallery.ts'

interface Props {
  photos: Photo[]
  index: number
  go: (index: number) => void
  close: () => void
}

/** One photo, large, in a dialog above the form's. The arrows wrap around (docs/product.md §11.2). */
export default function PhotoPreview({ photos, index, go, close }: Props): ReactNode {
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
        <div className="df-preview-nav">
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
