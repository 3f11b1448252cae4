import { LoaderCircle } from 'lucide-react'
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import { CARD_GAP_PX, type CardSize } from './card-size.ts'
import { StripCard } from './StripCard.tsx'
import { type StepControls, stepFrom } from './slides.ts'
import { useCarousel } from './useCarousel.client.ts'
import { isReordered, STRIP_TEXTS, type StripDog, type AreaDogs } from './area-dogs.ts'

interface Props {
  zone: AreaDogs
  size: CardSize
  selected: string | null
  isBusy: boolean
  /** Why the next page failed; null where it did not. */
  problem: string | null
  onSelect: (dog: StripDog) => void
  onMore: () => void
  /** Loads the area anew. */
  onReload: () => void
  /** For the arrows in the strip's head. */
  ref: Ref<StepControls>
}

/** The last slide while more dogs follow, or where the order has changed. */
const MORE_SLIDE_ID = '+'
/** The next page is requested when this many dogs are left. */
const PREFETCH_DOGS = 8

/** The carousel of cards: a list of which only the slides near the view are in the document. */
export function StripCards({ zone, size, selected, isBusy, problem, onSelect, onMore, onReload, ref }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const { dogs, nextCursor } = zone
  const hasMore = nextCursor !== null
  const hasEnd = hasMore || isReordered(zone)
  const ids = useMemo(() => [...dogs.map(({ id }) => id), ...(hasEnd ? [MORE_SLIDE_ID] : [])], [dogs, hasEnd])
  const select = (index: number | null) => {
    const dog = index === null ? undefined : dogs[Math.min(index, dogs.length - 1)]
    if (dog && dog.id !== selected) onSelect(dog)
  }
  const { shown, reveal, first } = useCarousel(root, ids, selected, size.width, select)

  const selectedIndex = selected === null ? -1 : ids.indexOf(selected)
  useEffect(() => {
    if (selectedIndex >= 0) reveal(selectedIndex)
  }, [selectedIndex, selected, reveal])

  const isNear = hasMore && !problem && shown.to >= dogs.length - PREFETCH_DOGS
  useEffect(() => {
    if (isNear) onMore()
  }, [isNear, dogs, onMore])

  useImperativeHandle(ref, () => ({ go: (by) => select(stepFrom(ids, selected, first(), by)) }))
  useFocusFallback(list, dogs)

  const slides: ReactNode[] = []
  for (let index = shown.from; index <= Math.min(shown.to, ids.length - 1); index++) {
    const dog = dogs[index]
    slides.push(
      <li
        key={ids[index]}
        className="swiper-slide"
        data-swiper-slide-index={index}
        aria-setsize={dog ? Math.max(zone.listed, dogs.length) : undefined}
        aria-posinset={dog ? index + 1 : undefined}
        style={{ width: size.width, marginRight: CARD_GAP_PX, left: shown.offset }}
      >
        {dog ? (
          <StripCard dog={dog} form={size.form} isSelected={dog.id === selected} onSelect={onSelect} />
        ) : hasMore ? (
          <MoreSlide problem={problem} button="Reintentar" onPress={onMore} />
        ) : (
          <MoreSlide problem={STRIP_TEXTS.reordered} button={STRIP_TEXTS.again} onPress={onReload} />
        )}
      </li>,
    )
  }
  return (
    <div className="swiper" ref={root} style={{ '--shot': `${size.photo}px` } as CSSProperties}>
      <ul className="swiper-wrapper" ref={list} tabIndex={-1} aria-label="Perros en esta zona" aria-busy={isBusy}>
        {slides}
      </ul>
    </div>
  )
}

function MoreSlide({ problem, button, onPress }: { problem: string | null; button: string; onPress: () => void }) {
  return (
    <div className="mid strip-more">
      {problem ? (
        <>
          <p role="alert">{problem}</p>
          <button type="button" className="btn" onClick={onPress}>
            {button}
          </button>
        </>
      ) : (
        <>
          <LoaderCircle className="ic spin" aria-hidden />
          <p>Cargando más…</p>
        </>
      )}
    </div>
  )
}

/** When a focused card is removed with its area, the list takes the focus, so that it does not go to the top of the page. */
function useFocusFallback(list: RefObject<HTMLElement | null>, dogs: readonly StripDog[]) {
  const isInside = useRef(false)
  useEffect(() => {
    const { current } = list
    const updateInside = ({ type, relatedTarget }: FocusEvent) => {
      // A removed node loses the focus without a related target.
      isInside.current = type === 'focusin' || (relatedTarget === null && document.hasFocus())
    }
    current?.addEventListener('focusin', updateInside)
    current?.addEventListener('focusout', updateInside)
    return () => {
      current?.removeEventListener('focusin', updateInside)
      current?.removeEventListener('focusout', updateInside)
    }
  }, [list])
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [dogs, list])
}
