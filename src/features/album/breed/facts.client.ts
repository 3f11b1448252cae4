import { inBackground } from '#lib/background.client.ts'

// The carousel's library is fetched when its notes come near the screen, not before.
const facts = document.querySelector<HTMLElement>('[data-facts]')
if (facts?.querySelector('.ctl')) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      inBackground(import('./facts-swiper.client.ts').then(({ startFacts }) => startFacts(facts)))
    },
    { rootMargin: '120px' },
  )
  observer.observe(facts)
}
