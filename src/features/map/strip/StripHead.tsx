import { ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react'
import type { Ref } from 'react'
import { STRIP_TEXTS } from './area-dogs.ts'

interface Props {
  title: string
  titleId: string
  titleRef: Ref<HTMLHeadingElement>
  /** Closes the list of one mark's dogs; null while the strip lists the area. */
  onCloseList: (() => void) | null
  /** The arrows; null where there is nothing to step through. */
  steps: { isFirst: boolean; isLast: boolean; go: (by: 1 | -1) => void } | null
  /** The chevron; null where the height is fixed. */
  fold: { isTall: boolean; toggle: () => void } | null
}

/** The strip's title and buttons. */
export function StripHead({ title, titleId, titleRef, onCloseList, steps, fold }: Props) {
  return (
    <div className="row strip-head">
      <h2 id={titleId} ref={titleRef} tabIndex={-1}>
        {title}
      </h2>
      {onCloseList && (
        <button type="button" className="btn strip-all" onClick={onCloseList}>
          {STRIP_TEXTS.all}
        </button>
      )}
      {steps && (
        <div className="strip-steps">
          <button
            type="button"
            className="btn icon ghost"
            aria-label="Perro anterior"
            disabled={steps.isFirst}
            onClick={() => steps.go(-1)}
          >
            <ChevronLeft className="ic" aria-hidden />
          </button>
          <button
            type="button"
            className="btn icon ghost"
            aria-label="Perro siguiente"
            disabled={steps.isLast}
            onClick={() => steps.go(1)}
          >
            <ChevronRight className="ic" aria-hidden />
          </button>
        </div>
      )}
      {fold && (
        <button
          type="button"
          className="btn icon ghost strip-fold"
          aria-label="Panel de perros"
          aria-expanded={fold.isTall}
          onClick={fold.toggle}
        >
          <ChevronUp className="ic" aria-hidden />
        </button>
      )}
    </div>
  )
}
