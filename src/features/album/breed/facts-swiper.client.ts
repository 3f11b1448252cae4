import Swiper from 'swiper'
import { Autoplay } from 'swiper/modules'

/** How long a note is shown (docs/product.md §25.3). */
const AUTOPLAY_DELAY_MS = 5000

/**
 * Turns the strip of notes into a carousel with autoplay and loop. It pauses under the pointer, while the focus is inside, by its
 * button, and from the start under prefers-reduced-motion.
 */
export function startFacts(root: HTMLElement): Swiper {
  const find = (selector: string) => root.querySelector<HTMLElement>(selector)!
  const strip = find('.swiper')
  const wrapper = find('.swiper-wrapper')
  const count = find('[data-facts-count]')
  const pauseButton = find('[data-facts-pause]')
  const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  const total = wrapper.children.length
  const leaveTabOrder = () => wrapper.removeAttribute('tabindex')
  // Removing the attribute would lose the focus and its ring: it may be what made the carousel load.
  if (wrapper === document.activeElement) wrapper.addEventListener('blur', leaveTabOrder, { once: true })
  else leaveTabOrder()
  wrapper.scrollLeft = 0
  root.dataset.facts = 'on'

  const swiper = new Swiper(strip, {
    modules: [Autoplay],
    loop: true,
    speed: reducesMotion ? 0 : 300,
    autoplay: { delay: AUTOPLAY_DELAY_MS, pauseOnMouseEnter: true, disableOnInteraction: false },
    on: {
      realIndexChange: (s) => {
        count.textContent = `${s.realIndex + 1} / ${total}`
      },
    },
  })
  let isStopped = reducesMotion
  const update = () => {
    const hasFocus = root.matches(':focus-within')
    if (isStopped || hasFocus) swiper.autoplay.stop()
    else swiper.autoplay.start()
    pauseButton.setAttribute('aria-label', isStopped ? 'Reanudar' : 'Pausar')
    root.toggleAttribute('data-stopped', isStopped)
    // Screen readers announce notes that the person turns to, not those that autoplay shows.
    strip.setAttribute('aria-live', isStopped || hasFocus ? 'polite' : 'off')
  }
  find('[data-facts-prev]').addEventListener('click', () => swiper.slidePrev())
  find('[data-facts-next]').addEventListener('click', () => swiper.slideNext())
  pauseButton.addEventListener('click', () => {
    isStopped = !isStopped
    update()
  })
  root.addEventListener('focusin', update)
  root.addEventListener('focusout', () => setTimeout(update))
  update()
  return swiper
}
