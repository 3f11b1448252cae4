import '#features/dogs/card/photo-stack-loader.client.ts'
import { inBackground } from '#lib/background.client.ts'
import '#features/follows/follow.client.ts'
import '#ui/share.client.ts'
import './load-more.client.ts'

// The scripts of a breed's page are one file: each file would cost a request.

// The carousel's library is loaded when the notes come near the screen.
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
