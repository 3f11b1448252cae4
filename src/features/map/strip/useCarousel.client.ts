import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Swiper } from 'swiper'
import { CARD_GAP_PX } from './card-size.ts'
import { anchorIndex, isLonger, type VisibleSlides } from './slides.ts'

/** What the plain list shows until Swiper comes. */
const FIRST_SLIDES: VisibleSlides = { from: 0, to: 7, offset: 0 }
const ALL_SLIDES: VisibleSlides = { from: 0, to: Infinity, offset: 0 }
const SLIDE_DURATION_MS = 280
/** Cards that stand ready beyond what is seen, for the next swipe or Tab. */
const SPARE_SLIDES = 2
/** So far a slide may travel; past it the cards between would flash by unseen. */
const MAX_ANIMATED_SLIDES = 12
const WHEEL_SETTLE_MS = 200

/**
 * Swiper over a list that React draws: only the slides near the view are in the document (`shown`), however many there are.
 * @param ids the slides; when they change, whoever is `selected` or stood first stays in place
 * @param onSwipe the slide that a finger, mouse or wheel came to rest at; never called for moves of our own
 */
export function useCarousel(
  root: RefObject<HTMLElement | null>,
  ids: readonly string[],
  selected: string | null,
  width: number,
  onSwipe: (index: number) => void,
) {
  const carousel = useRef<Swiper | null>(null)
  const [shown, setShown] = useState(FIRST_SLIDES)
  const [isReady, setReady] = useState(false)
  const latest = useRef({ ids, selected, width, onSwipe })
  useLayoutEffect(() => {
    latest.current = { ids, selected, width, onSwipe }
  })

  useEffect(() => {
    let isGone = false
    const start = async () => {
      const { Mousewheel, Swiper, Virtual } = await import('./swiper.client.ts')
      if (isGone || !root.current) return
      carousel.current = new Swiper(root.current, {
        modules: [Virtual, Mousewheel],
        slidesPerView: 'auto',
        spaceBetween: CARD_GAP_PX,
        speed: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : SLIDE_DURATION_MS,
        threshold: 6,
        mousewheel: { enabled: true, forceToAxis: true, thresholdDelta: 8 },
        virtual: {
          enabled: true,
          cache: false,
          slides: [...latest.current.ids],
          slidesPerViewAutoSlideSize: latest.current.width,
          addSlidesBefore: SPARE_SLIDES,
          addSlidesAfter: SPARE_SLIDES,
          renderExternalUpdate: false,
          renderExternal: ({ from, to, offset }) =>
            setShown((now) =>
              now.from === from && now.to === to && now.offset === offset ? now : { from, to, offset },
            ),
        },
      })
      reportSwipes(carousel.current, (index) => latest.current.onSwipe(index))
      setReady(true)
    }
    // Without it the list is a plain one that scrolls.
    start().catch(() => setShown(ALL_SLIDES))
    return () => {
      isGone = true
      carousel.current?.destroy()
      carousel.current = null
    }
  }, [root])

  const before = useRef(ids)
  useLayoutEffect(() => {
    const { current } = carousel
    if (!current) return
    const index = anchorIndex(before.current, ids, current.activeIndex, latest.current.selected)
    const isOther = before.current !== ids && !isLonger(before.current, ids)
    before.current = ids
    current.virtual.slides = [...ids]
    current.params.virtual!.slidesPerViewAutoSlideSize = width
    current.update()
    if (isOther) current.slideTo(index, 0, false)
    current.virtual.update(true)
  }, [ids, width, isReady])

  // The slides that were asked for are in the document now.
  useLayoutEffect(() => {
    const { current } = carousel
    if (!current) return
    current.updateSlides()
    current.updateProgress()
    current.updateSlidesClasses()
  }, [shown])

  /** Brings a slide into view, and leaves one alone that is. */
  const reveal = useCallback((index: number) => {
    const { current } = carousel
    if (!current) return
    const left = (current.slidesGrid[index] ?? 0) + current.translate
    if (left >= -1 && left + latest.current.width <= current.width + 1) return
    const isFar = Math.abs(index - current.activeIndex) > MAX_ANIMATED_SLIDES
    if (isFar) current.slideTo(index, 0, false)
    else current.slideTo(index)
  }, [])

  const first = useCallback(() => carousel.current?.activeIndex ?? 0, [])
  return { shown, reveal, first }
}

/** Tells where a swipe or the wheel leads, as soon as that is settled. The last slides never stand first: the end is theirs. */
function reportSwipes(swiper: Swiper, onSwipe: (index: number) => void): void {
  let from = 0
  let isMoved = false
  let resting: ReturnType<typeof setTimeout> | undefined
  const settle = () => {
    if (swiper.destroyed || (swiper.activeIndex === from && !swiper.isEnd)) return
    onSwipe(swiper.isEnd && !swiper.isBeginning ? swiper.virtual.slides.length - 1 : swiper.activeIndex)
  }
  swiper.on('touchStart', () => {
    from = swiper.activeIndex
    isMoved = false
  })
  swiper.on('sliderFirstMove', () => {
    isMoved = true
  })
  // Swiper chooses the slide right after this event.
  swiper.on('touchEnd', () => {
    if (isMoved) setTimeout(settle)
  })
  swiper.on('scroll', () => {
    clearTimeout(resting)
    from = -1
    resting = setTimeout(settle, WHEEL_SETTLE_MS)
  })
}
