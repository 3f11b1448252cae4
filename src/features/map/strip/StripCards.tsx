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
import { CARD_GAP, type CardSize } from './cards.ts'
import { StripCard } from './StripCard.tsx'
import { type Steps, stepFrom } from './slides.ts'
import { useCarousel } from './useCarousel.client.ts'
import type { StripDog, Zone } from './zone.ts'

interface Props {
  zone: Zone
  size: CardSize
  selected: string | null
  isBusy: boolean
  /** Why the next page did not come. */
  problem: string | null
  onSelect: (dog: StripDog) => void
  onMore: () => void
  /** For the arrows of the strip's head. */
  ref: Ref<Steps>
}

/** The last slide while more dogs follow. */
const MORE = '+'
/** Dogs left when the next page is asked for. */
const NEAR = 8

/** The carousel of cards: a list, of which only what is near stands in the document. */
export function StripCards({ zone, size, selected, isBusy, problem, onSelect, onMore, ref }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const { dogs, nextCursor } = zone
  const hasMore = nextCursor !== null
  const ids = useMemo(() => [...dogs.map(({ id }) => id), ...(hasMore ? [MORE] : [])], [dogs, hasMore])
  const select = (index: number | null) => {
    const dog = index === null ? undefined : dogs[Math.min(index, dogs.length - 1)]
    if (dog && dog.id !== selected) onSelect(dog)
  }
  const { shown, reveal, first } = useCarousel(root, ids, selected, size.width, select)

  const at = selected === null ? -1 : ids.indexOf(selected)
  useEffect(() => {
    if (at >= 0) reveal(at)
  }, [at, selected, reveal])

  const isNear = hasMore && !problem && shown.to >= dogs.length - NEAR
  useEffect(() => {
    if (isNear) onMore()
  }, [isNear, dogs, onMore])

  useImperativeHandle(ref, () => ({ go: (by) => select(stepFrom(ids, selected, first(), by)) }))
  useKeptFocus(list, dogs)

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
        style={{ width: size.width, marginRight: CARD_GAP, left: shown.offset }}
      >
        {dog ? (
          <StripCard dog={dog} form={size.form} isSelected={dog.id === selected} onSelect={onSelect} />
        ) : (
          <More problem={problem} onMore={onMore} />
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

function More({ problem, onMore }: { problem: string | null; onMore: () => void }) {
  return (
    <div className="strip-more">
      {problem ? (
        <>
          <p role="alert">{problem}</p>
          <button type="button" className="btn" onClick={onMore}>
            Reintentar
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

/** Who stood on a card that went with its area goes on from the list, not from the top of the page. */
function useKeptFocus(list: RefObject<HTMLElement | null>, dogs: readonly StripDog[]) {
  const isInside = useRef(false)
  useEffect(() => {
    const { current } = list
    const note = ({ type, relatedTarget }: FocusEvent) => {
      // A node that is removed loses the focus to nobody.
      isInside.current = type === 'focusin' || (relatedTarget === null && document.hasFocus())
    }
    current?.addEventListener('focusin', note)
    current?.addEventListener('focusout', note)
    return () => {
      current?.removeEventListener('focusin', note)
      current?.removeEventListener('focusout', note)
    }
  }, [list])
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [dogs, list])
}
