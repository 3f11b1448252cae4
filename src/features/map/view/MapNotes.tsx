import { X } from 'lucide-react'
import type { ListError } from '#features/dogs/list/list.client.ts'

interface Props {
  /** Why the marks could not be loaded; null once they are. */
  error: ListError | null
  onRetry: () => void
  note: string | null
  onClose: () => void
}

/** Failure notices over the map, which stays usable. */
export function MapNotes({ error, onRetry, note, onClose }: Props) {
  return (
    <div className="map-notes" role="alert">
      {error && (
        <p className="row map-note">
          <span>{error.message}</span>
          <button type="button" className="btn" onClick={onRetry}>
            Reintentar
          </button>
        </p>
      )}
      {note && (
        <p className="row map-note">
          <span>{note}</span>
          <button type="button" className="btn icon ghost" aria-label="Cerrar aviso" onClick={onClose}>
            <X className="ic" aria-hidden />
          </button>
        </p>
      )}
    </div>
  )
}
