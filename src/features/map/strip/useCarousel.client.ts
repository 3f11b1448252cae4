import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Swiper } from 'swiper'
import { CARD_GAP_PX } from './card-size.ts'
import { anchorIndex, isLonger, type VisibleSlides } from './slides.ts'

/** Slides of the plain list until Swiper is loaded. */
const FIRST_SLIDES: VisibleSlides = { from: 0, to: 7, offset: 0 }
const ALL_SLIDES: VisibleSlides = { from: 0, to: Infinity, offset: 0 }
const SLIDE_DURATION_MS = 280
/** Cards rendered beyond the visible ones, for the next swipe or Tab. */
const SPARE_SLIDES = 2
/** Farther slides are shown without an animation. */
const MAX_ANIMATED_SLIDES = 12
const WHEEL_SETTLE_MS = 200

/**
 * Swiper over a list that React renders: only the slides near the view are in the document (`shown`).
 * @param ids the slides; when they change, the selected one or the first visible one stays in place
 * @param onSwipe called with the slide at which a swipe or the wheel stops; not for programmatic moves
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
    let isUnmounted = false
    const start = async () => {
      const { Mousewheel, Swiper, Virtual } = await import('./swiper.client.ts')
      if (isUnmounted || !root.current) return
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
    // Without Swiper the list is plain and scrolls.
    start().catch(() => setShown(ALL_SLIDES))
    return () => {
      isUnmounted = true
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

  // The requested slides are now in the document.
  useLayoutEffect(() => {
    const { current } = carousel
    if (!current) return
    current.updateSlides()
    current.updateProgress()
    current.updateSlidesClasses()
  }, [shown])

  /** Scrolls a slide into view where it is not visible. */
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

/** Reports the slide at which a swipe or the wheel stops. At the end of the list that is the last slide, which never comes first. */
function reportSwipes(swiper: Swiper, onSwipe: (index: number) => void): void {
  let from = 0
  let isMoved = false
  let resting: ReturnType<typeof setTimeout> | undefined
  const report = () => {
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
  // Swiper sets the active slide right after this event.
  swiper.on('touchEnd', () => {
    if (isMoved) setTimeout(report)
  })
  swiper.on('scroll', () => {
    clearTimeout(resting)
    from = -1
    resting = setTimeout(report, WHEEL_SETTLE_MS)
  })
}
