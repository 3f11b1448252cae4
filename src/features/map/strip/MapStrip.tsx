import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Area } from '../map.ts'
import { cardSize } from './card-size.ts'
import { observeSize } from './observe-size.client.ts'
import { isExpanded, isFixed, isFolded } from './strip-height.ts'
import { StripCards } from './StripCards.tsx'
import { StripHead } from './StripHead.tsx'
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
  const { zone, state, isOutdated, problem, moreProblem, load, loadMore } = useAreaDogs(
    area,
    filters,
    selected,
    selectedAt,
    visible,
  )
  const { height: rows, width, scale } = useCardSpace(strip, view, height)
  const title = useRef<HTMLHeadingElement>(null)
  useListKeys(strip, title, isList, onCloseList)
  useUnfoldedList(isList && isFolded(height), toggle)
  const size = cardSize(rows, width, scale)
  // Orders by weight and age include fewer dogs than the map shows (docs/product.md §16.4).
  const isOrderComplete = !zone?.listed || zone.listed === zone.visible
  const count = (isOrderComplete ? visible : null) ?? (state === 'failed' ? null : zone?.listed) ?? null
  const dogs = zone?.dogs ?? []
  const index = dogs.findIndex(({ id }) => id === selected)
  const isLast = index === dogs.length - 1 && zone?.nextCursor === null
  return (
    <section
      className={`strip${isDragged ? ' dragged' : ''}`}
      ref={strip}
      aria-labelledby={titleId}
      // Another area's dogs are on their way: those that are loaded are the previous area's.
      data-state={isOutdated && state === 'loaded' ? 'loading' : state}
      data-folded={isFolded(height) || undefined}
    >
      {!isFixed(range) && (
        <div
          className="center strip-grip"
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
      <StripHead
        title={state === 'failed' && visible === null ? STRIP_TEXTS.unknown : stripTitle(count)}
        titleId={titleId}
        titleRef={title}
        onCloseList={isList ? onCloseList : null}
        steps={
          dogs.length > 1 && state !== 'failed'
            ? { isFirst: index <= 0, isLast, go: (by) => steps.current?.go(by) }
            : null
        }
        fold={isFixed(range) ? null : { isTall: isExpanded(height, range), toggle }}
      />
      <div className="strip-view">
        <div className="grow strip-room" ref={view}>
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
              onReload={load}
              ref={steps}
            />
          )}
        </div>
      </div>
    </section>
  )
}

/** While the strip lists one mark's dogs: a list opened by keyboard takes the focus, and Escape closes it. */
function useListKeys(
  strip: RefObject<HTMLElement | null>,
  title: RefObject<HTMLElement | null>,
  isList: boolean,
  onCloseList: () => void,
) {
  useEffect(() => {
    const { current } = strip
    if (!isList || !current) return
    if (document.activeElement?.matches('.mark:focus-visible')) title.current?.focus()
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && onCloseList()
    current.addEventListener('keydown', closeOnEscape)
    return () => current.removeEventListener('keydown', closeOnEscape)
  }, [strip, title, isList, onCloseList])
}

/** Unfolds a folded strip when a list opens. */
function useUnfoldedList(mustUnfold: boolean, toggle: () => void) {
  const unfold = useEffectEvent(toggle)
  useEffect(() => {
    if (mustUnfold) unfold()
  }, [mustUnfold])
}

/** Sets the strip's height, px. @returns the space for the cards; while the height is dragged, in the same frame */
function useCardSpace(strip: RefObject<HTMLElement | null>, view: RefObject<HTMLElement | null>, stripHeight: number) {
  const [space, setSpace] = useState({ width: 360, height: 180, scale: 1 })
  const measure = useEffectEvent(() => {
    const { clientWidth, clientHeight } = view.current!
    const scale = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16)
    setSpace({ width: clientWidth, height: clientHeight, scale })
  })
  useLayoutEffect(() => {
    // Not as an attribute: the server renders the strip too, and the content security policy allows no inline style.
    strip.current!.style.setProperty('height', `${stripHeight}px`)
    // oxlint-disable-next-line react/set-state-in-effect -- what is measured is known only after the layout
    measure()
  }, [strip, stripHeight])
  useLayoutEffect(() => observeSize(view.current!, () => flushSync(measure)), [view])
  return space
}
