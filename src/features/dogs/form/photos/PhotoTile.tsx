import { GripVertical, MessageSquarePlus, MessageSquareText, Star, TriangleAlert, X } from 'lucide-react'
import type { Photo } from './gallery.ts'
import type { useReorder } from './useReorder.client.ts'

const TILTS = ['-0.5deg', '0.8deg', '-0.9deg', '0.6deg', '-0.6deg']

interface Props {
  photo: Photo
  /** From 0; the first photo is the cover. */
  index: number
  isOnly: boolean
  /** Its description is being edited. */
  isDescribing: boolean
  disabled: boolean
  reorder: ReturnType<typeof useReorder>
  open: () => void
  toggleDescription: () => void
  remove: () => void
}

/** A photo of the gallery with its buttons. */
export function PhotoTile({ photo, index, isOnly, isDescribing, disabled, reorder, ...actions }: Props) {
  const position = index + 1
  const hasFailed = photo.state === 'failed'
  const isDescribed = photo.alt.trim() !== ''
  const describeLabel = isDescribed ? `Descripción de la foto ${position}` : `Describir foto ${position}`
  const label = `${photo.error ? 'Foto' : 'Ver foto'} ${position}`
  return (
    <li
      data-photo={photo.id}
      data-lifted={reorder.liftedId === photo.id || reorder.ghost?.id === photo.id || undefined}
    >
      <button
        type="button"
        className="sticker df-tile"
        style={{ ['--tilt' as string]: TILTS[index % TILTS.length] }}
        aria-label={[label, photo.error ?? photo.alt.trim()].filter(Boolean).join(': ')}
        onClick={() => photo.src && actions.open()}
        onDragStart={(event) => event.preventDefault()}
        {...reorder.drag(photo.id)}
      >
        <span className="shot">
          {photo.src && !hasFailed && <img src={photo.src} alt="" draggable={false} />}
          {photo.state === 'preparing' && (
            <span className="df-preparing" role="progressbar" aria-label="Preparando foto" />
          )}
          {hasFailed && (
            <span className="mid df-failed" title={photo.error}>
              <TriangleAlert aria-hidden />
              No se pudo leer
            </span>
          )}
        </span>
      </button>
      {index === 0 && !hasFailed && (
        <span className="row df-cover">
          <Star aria-hidden className="fill" />
          Portada
        </span>
      )}
      {!isOnly && !hasFailed && (
        <button
          type="button"
          className="center df-knob df-handle"
          aria-label={`Mover foto ${position}`}
          aria-describedby="df-reorder-how"
          disabled={disabled}
          {...reorder.handle(photo.id)}
        >
          <GripVertical aria-hidden />
        </button>
      )}
      {photo.state === 'ready' && (
        <button
          type="button"
          className="center df-knob df-describe"
          aria-label={describeLabel}
          aria-expanded={isDescribing}
          aria-controls={isDescribing ? 'df-words' : undefined}
          data-described={isDescribed || undefined}
          title={describeLabel}
          disabled={disabled}
          onClick={actions.toggleDescription}
        >
          {isDescribed ? <MessageSquareText aria-hidden /> : <MessageSquarePlus aria-hidden />}
          <span>{isDescribed ? 'Descripción' : 'Describir'}</span>
        </button>
      )}
      <button
        type="button"
        className="center df-knob df-remove"
        aria-label={`Quitar foto ${position}`}
        disabled={disabled}
        onClick={actions.remove}
      >
        <X aria-hidden />
      </button>
    </li>
  )
}
