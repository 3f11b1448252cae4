import type { CardSize } from './card-size.ts'
import { type MapFilters, STRIP_TEXTS } from './area-dogs.ts'

/** Shown without a dog in the area, or none that the order includes: suggests what to do. */
export function StripEmpty({ filters, isSorted }: { filters: MapFilters; isSorted: boolean }) {
  const isFiltered = isSorted || filters.breed !== null || filters.size !== null
  return (
    <div className="strip-state">
      <p>{isFiltered ? STRIP_TEXTS.noneFiltered : STRIP_TEXTS.noneHint}</p>
      {!isFiltered && (
        <a className="btn" href="/login" data-add-dog>
          Añadir perro
        </a>
      )}
    </div>
  )
}

export function StripProblem({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="strip-state" role="alert">
      <p>{text}</p>
      <button type="button" className="btn" onClick={onRetry}>
        Reintentar
      </button>
    </div>
  )
}

/** Empty slots until the first dogs are loaded. */
export function StripWaiting({ size: { width, form } }: { size: CardSize }) {
  return (
    <div className="strip-waiting" aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => (
        <div
          key={index}
          className={`slot ${form}`}
          ref={(slot) => void slot?.style.setProperty('width', `${width}px`)}
        />
      ))}
    </div>
  )
}
