import { X } from 'lucide-react'
import type { ListError } from '#features/dogs/list/list.client.ts'

interface Props {
  /** Why the marks do not come; it goes by itself once they do. */
  trouble: ListError | null
  onRetry: () => void
  note: string | null
  onClose: () => void
}

/** What went wrong, over the map, which goes on working. */
export function MapNotes({ trouble, onRetry, note, onClose }: Props) {
  return (
    <div className="map-notes" role="alert">
      {trouble && (
        <p className="map-note">
          <span>{trouble.message}</span>
          <button type="button" className="btn" onClick={onRetry}>
            Reintentar
          </button>
        </p>
      )}
      {note && (
        <p className="map-note">
          <span>{note}</span>
          <button type="button" className="btn icon ghost" aria-label="Cerrar aviso" onClick={onClose}>
            <X className="ic" aria-hidden />
          </button>
        </p>
      )}
    </div>
  )
}
