import Swiper from 'swiper'
import { Autoplay } from 'swiper/modules'

/** How long a note stays (docs/product.md §25.3). */
const AUTOPLAY_DELAY_MS = 5000

/**
 * Turns the strip of notes into a carousel: autoplay and loop, paused under the pointer, while the focus is inside, by its
 * button, and from the start where motion is unwanted.
 */
export function startFacts(root: HTMLElement): Swiper {
  const strip = root.querySelector<HTMLElement>('.swiper')!
  const wrapper = root.querySelector<HTMLElement>('.swiper-wrapper')!
  const count = root.querySelector<HTMLElement>('[data-facts-count]')!
  const pause = root.querySelector<HTMLElement>('[data-facts-pause]')!
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const total = wrapper.children.length
  // Without its attribute it would lose the focus that may have brought the carousel.
  if (wrapper === document.activeElement) wrapper.tabIndex = -1
  else wrapper.removeAttribute('tabindex')
  wrapper.scrollLeft = 0
  root.dataset.facts = 'on'

  const swiper = new Swiper(strip, {
    modules: [Autoplay],
    loop: true,
    speed: still ? 0 : 300,
    autoplay: { delay: AUTOPLAY_DELAY_MS, pauseOnMouseEnter: true, disableOnInteraction: false },
    on: {
      realIndexChange: (s) => {
        count.textContent = `${s.realIndex + 1} / ${total}`
      },
    },
  })
  let stopped = still
  const apply = () => {
    const focused = root.matches(':focus-within')
    if (stopped || focused) swiper.autoplay.stop()
    else swiper.autoplay.start()
    pause.setAttribute('aria-label', stopped ? 'Reanudar' : 'Pausar')
    root.toggleAttribute('data-stopped', stopped)
    // Read out only what the person turned to, never what turns by itself.
    strip.setAttribute('aria-live', stopped || focused ? 'polite' : 'off')
  }
  root.querySelector('[data-facts-prev]')!.addEventListener('click', () => swiper.slidePrev())
  root.querySelector('[data-facts-next]')!.addEventListener('click', () => swiper.slideNext())
  pause.addEventListener('click', () => {
    stopped = !stopped
    apply()
  })
  root.addEventListener('focusin', apply)
  root.addEventListener('focusout', () => setTimeout(apply))
  apply()
  return swiper
}
