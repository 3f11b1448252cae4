import { LoaderCircle, LocateFixed, Minus, Plus } from 'lucide-react'
import { useState } from 'react'

interface Props {
  isReady: boolean
  onZoom: (by: 1 | -1) => unknown
  onLocate: () => Promise<void>
}

/** Zoom and «Mi ubicación». */
export function MapTools({ isReady, onZoom, onLocate }: Props) {
  const [isLocating, setLocating] = useState(false)
  const locate = async () => {
    setLocating(true)
    await onLocate()
    setLocating(false)
  }
  return (
    <div className="map-tools" role="group" aria-label="Controles del mapa">
      <div className="zooms">
        <button type="button" aria-label="Acercar" disabled={!isReady} onClick={() => onZoom(1)}>
          <Plus className="ic" aria-hidden />
        </button>
        <button type="button" aria-label="Alejar" disabled={!isReady} onClick={() => onZoom(-1)}>
          <Minus className="ic" aria-hidden />
        </button>
      </div>
      <button
        type="button"
        aria-label="Mi ubicación"
        aria-busy={isLocating}
        disabled={!isReady}
        onClick={() => !isLocating && void locate()}
      >
        {isLocating ? <LoaderCircle className="ic spin" aria-hidden /> : <LocateFixed className="ic" aria-hidden />}
      </button>
    </div>
  )
}
