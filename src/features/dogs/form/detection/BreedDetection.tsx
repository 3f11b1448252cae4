import { LoaderCircle, Sparkles, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import {
  ANALYSING_TEXT,
  CONFIDENCE_TEXTS,
  DETECTED_TEXT,
  detectionAnnouncement,
  firstConfidence,
  OTHERS_TEXT,
  UNLISTED_TEXT,
} from './words.ts'
import type { useDetection } from './useDetection.client.ts'

interface Props {
  detection: ReturnType<typeof useDetection>
}

/** The breed detection's three states, between photos and description; nothing without a detection. */
export default function BreedDetection({ detection }: Props): ReactNode {
  const { outcome, isListed, hasNames, isChosen, isOwn, others } = detection
  const confidence = firstConfidence(outcome)
  const root = useRef<HTMLDivElement>(null)
  /** The focused button disappears with the state: the focus moves to the panel. */
  const retry = () => {
    root.current?.focus()
    detection.retry()
  }
  return (
    <>
      <span className="sr" role="status">
        {detectionAnnouncement(outcome, isListed || !hasNames, isOwn, others)}
      </span>
      {outcome && (
        <div ref={root} className="row df-detect" data-state={outcome.state} tabIndex={-1}>
          {outcome.state === 'analysing' && (
            <>
              <LoaderCircle aria-hidden className="spin" />
              <p>{ANALYSING_TEXT}</p>
            </>
          )}
          {outcome.state === 'failed' && (
            <>
              <TriangleAlert aria-hidden />
              <p>{outcome.message}</p>
              <button type="button" className="btn" onClick={retry}>
                Reintentar
              </button>
            </>
          )}
          {outcome.state === 'detected' && (
            <>
              <Sparkles aria-hidden />
              <p>
                {DETECTED_TEXT}
                <b>{outcome.breed}</b>
                {confidence && <small>{confidence}</small>}
                {hasNames && !isListed && <small>{UNLISTED_TEXT}</small>}
              </p>
              {isOwn ? (
                <button type="button" className="btn" onClick={detection.undo}>
                  Deshacer
                </button>
              ) : (
                isListed &&
                !isChosen && (
                  <button type="button" className="btn" onClick={detection.choose} aria-label={`Usar ${outcome.breed}`}>
                    Usar
                  </button>
                )
              )}
              {others.length > 0 && (
                <div className="row wrap df-others" role="group" aria-label={OTHERS_TEXT}>
                  <span aria-hidden>{OTHERS_TEXT}</span>
                  {others.map(({ breed, confidence }) => (
                    <button
                      type="button"
                      className="btn"
                      key={breed}
                      aria-pressed={detection.chosen === breed}
                      onClick={() => detection.chooseOther(breed)}
                    >
                      {breed} <small>{CONFIDENCE_TEXTS[confidence]}</small>
                    </button>
                  ))}
                </div>
              )}
            </>
          )}
        </div>
      )}
    </>
  )
}
