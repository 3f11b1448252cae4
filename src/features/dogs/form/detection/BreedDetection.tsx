import { LoaderCircle, Sparkles, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { ANALYSING_TEXT, DETECTED_TEXT, detectionAnnouncement, UNLISTED_TEXT } from './detection-state.ts'
import type { useDetection } from './useDetection.client.ts'

interface Props {
  found: ReturnType<typeof useDetection>
}

/** The breed detection's three states, between photos and description. Nothing shows where there is none. */
export function BreedDetection({ found }: Props) {
  const { detection, isListed, isKnown, isChosen, isOwn } = found
  const root = useRef<HTMLDivElement>(null)
  /** The button goes with the state, and the focus must not go with it. */
  const retry = () => {
    root.current?.focus()
    found.retry()
  }
  return (
    <>
      <span className="sr" role="status">
        {detectionAnnouncement(detection, isListed || !isKnown, isOwn)}
      </span>
      {detection && (
        <div ref={root} className="df-detect" data-state={detection.state} tabIndex={-1}>
          {detection.state === 'analysing' && (
            <>
              <LoaderCircle aria-hidden className="spin" />
              <p>{ANALYSING_TEXT}</p>
            </>
          )}
          {detection.state === 'failed' && (
            <>
              <TriangleAlert aria-hidden />
              <p>{detection.message}</p>
              <button type="button" className="btn" onClick={retry}>
                Reintentar
              </button>
            </>
          )}
          {detection.state === 'detected' && (
            <>
              <Sparkles aria-hidden />
              <p>
                {DETECTED_TEXT}
                <b>{detection.breed}</b>
                {isKnown && !isListed && <small>{UNLISTED_TEXT}</small>}
              </p>
              {isOwn ? (
                <button type="button" className="btn" onClick={found.undo}>
                  Deshacer
                </button>
              ) : (
                isListed &&
                !isChosen && (
                  <button type="button" className="btn" onClick={found.choose} aria-label={`Usar ${detection.breed}`}>
                    Usar
                  </button>
                )
              )}
            </>
          )}
        </div>
      )}
    </>
  )
}
