import { ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Area } from '../map.ts'
import { cardSize } from './card-size.ts'
import { isExpanded, isFixed, isFolded } from './strip-height.ts'
import { StripCards } from './StripCards.tsx'
import { StripEmpty, StripProblem, StripWaiting } from './StripStates.tsx'
import type { StepControls } from './slides.ts'
import { useHeight } from './useHeight.client.ts'
import { useAreaDogs } from './useAreaDogs.client.ts'
import { type MapFilters, type Point, type StripDog, STRIP_TEXTS, stripTitle } from './area-dogs.ts'
import './strip.css'

interface Props {
  /** The visible part of the map; null until the map is ready. */
  area: Area | null
  filters: MapFilters
  /** The map's count of dogs in the area; null where it is unknown. */
  visible: number | null
  /** Whether the strip lists the dogs of one mark only. */
  isList: boolean
  onCloseList: () => void
  /** Id of the dog highlighted on the map, by `onSelect` or a pressed marker. */
  selected: string | null
  /** Location of that dog: it has a card as long as the area contains it. */
  selectedAt: Point | null
  /** A card was swiped to, focused by keyboard, stepped to, or requested on the map. */
  onSelect: (dog: StripDog) => void
  onHeight: (px: number) => void
}

/**
 * The strip below the map (docs/product.md §16.4): the dogs of the area in a carousel of adjustable height, at the
 * lower edge of its parent, which must be positioned.
 */
export function MapStrip(props: Props) {
  const { area, filters, visible, isList, onCloseList, selected, selectedAt, onSelect, onHeight } = props
  const titleId = useId()
  const strip = useRef<HTMLElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const steps = useRef<StepControls | null>(null)
  const { height, range, isDragged, handle, toggle } = useHeight(strip, onHeight)
  const { zone, state, problem, moreProblem, load, loadMore } = useAreaDogs(
    area,
    filters,
    selected,
    selectedAt,
    visible,
  )
  const { height: rows, width, scale } = useCardSpace(view)
  // Not as an attribute: the server renders the strip too, and the content security policy allows no inline style.
  useLayoutEffect(() => {
    strip.current!.style.height = `${height}px`
  }, [height])
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const { current } = strip
    if (!isList || !current) return
    // A list that is opened by keyboard takes the focus.
    if (document.activeElement?.matches('.mark:focus-visible')) title.current?.focus()
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && onCloseList()
    current.addEventListener('keydown', closeOnEscape)
    return () => current.removeEventListener('keydown', closeOnEscape)
  }, [isList, onCloseList])
  // An opened list unfolds a folded strip.
  const mustUnfold = isList && isFolded(height)
  const unfold = useRef(toggle)
  useLayoutEffect(() => {
    unfold.current = toggle
  })
  useEffect(() => {
    if (mustUnfold) unfold.current()
  }, [mustUnfold])
  const size = cardSize(rows, width, scale)
  const isTall = isExpanded(height, range)
  // Orders by weight and age include fewer dogs than the map shows (docs/product.md §16.4).
  const isWhole = !zone?.listed || zone.listed === zone.visible
  const count = (isWhole ? visible : null) ?? (state === 'failed' ? null : zone?.listed) ?? null
  const dogs = zone?.dogs ?? []
  const at = dogs.findIndex(({ id }) => id === selected)
  const isLast = at === dogs.length - 1 && zone?.nextCursor === null
  return (
    <section
      className={`strip${isDragged ? ' dragged' : ''}`}
      ref={strip}
      aria-labelledby={titleId}
      data-state={state}
      data-folded={isFolded(height) || undefined}
    >
      {!isFixed(range) && (
        <div
          className="strip-grip"
          role="separator"
          tabIndex={0}
          aria-orientation="horizontal"
          aria-label="Altura del panel"
          aria-valuenow={height}
          aria-valuemin={range.min}
          aria-valuemax={range.max}
          aria-valuetext={`${height} píxeles`}
          {...handle}
        >
          <i />
        </div>
      )}
      <div className="strip-head">
        <h2 id={titleId} ref={title} tabIndex={-1}>
          {state === 'failed' && visible === null ? STRIP_TEXTS.unknown : stripTitle(count)}
        </h2>
        {isList && (
          <button type="button" className="btn strip-all" onClick={onCloseList}>
            {STRIP_TEXTS.all}
          </button>
        )}
        {dogs.length > 1 && state !== 'failed' && (
          <div className="strip-steps">
            <button
              type="button"
              className="btn icon ghost"
              aria-label="Perro anterior"
              disabled={at <= 0}
              onClick={() => steps.current?.go(-1)}
            >
              <ChevronLeft className="ic" aria-hidden />
            </button>
            <button
              type="button"
              className="btn icon ghost"
              aria-label="Perro siguiente"
              disabled={isLast}
              onClick={() => steps.current?.go(1)}
            >
              <ChevronRight className="ic" aria-hidden />
            </button>
          </div>
        )}
        {!isFixed(range) && (
          <button
            type="button"
            className="btn icon ghost strip-fold"
            aria-label="Panel de perros"
            aria-expanded={isTall}
            onClick={toggle}
          >
            <ChevronUp className="ic" aria-hidden />
          </button>
        )}
      </div>
      <div className="strip-view">
        <div className="strip-room" ref={view}>
          {state === 'failed' ? (
            <StripProblem text={problem ?? ''} onRetry={() => void load()} />
          ) : !zone ? (
            <StripWaiting size={size} />
          ) : dogs.length === 0 ? (
            <StripEmpty filters={filters} isSorted={zone.visible > 0} />
          ) : (
            <StripCards
              zone={zone}
              key={zone.sort}
              size={size}
              selected={selected}
              isBusy={state === 'loading'}
              problem={moreProblem}
              onSelect={onSelect}
              onMore={loadMore}
              ref={steps}
            />
          )}
        </div>
      </div>
    </section>
  )
}

/** The space for the cards. Rendered in the same frame, or the cards would lag behind a drag. */
function useCardSpace(view: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState({ width: 360, height: 180, scale: 1 })
  useLayoutEffect(() => {
    const { current } = view
    if (!current) return
    const observer = new ResizeObserver(() =>
      flushSync(() =>
        setRoom({
          width: current.clientWidth,
          height: current.clientHeight,
          scale: Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16),
        }),
      ),
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [view])
  return room
}
