import { CAROUSEL_INTERVAL_MS, carouselPosition } from './photo-carousel.ts'

// Shows the next photo every 8 s. Stops while the pointer is over it, when paused and in hidden tabs, and never starts with
// reduced motion.

function startCarousel(carousel: HTMLElement): void {
  const photos = [...carousel.querySelectorAll<HTMLElement>('figure')]
  const pauseButton = carousel.querySelector<HTMLButtonElement>('[data-fan-pause]')!
  if (photos.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  let step = 0
  pauseButton.hidden = false
  pauseButton.addEventListener('click', () => {
    pauseButton.setAttribute('aria-pressed', String(pauseButton.getAttribute('aria-pressed') !== 'true'))
  })
  setInterval(() => {
    if (document.hidden || carousel.matches(':hover') || pauseButton.getAttribute('aria-pressed') === 'true') return
    step++
    for (const [index, photo] of photos.entries()) {
      const place = carouselPosition(index, photos.length, step)
      photo.dataset.place = String(place)
      photo.toggleAttribute('aria-hidden', place === 0)
      if (place === 0) photo.setAttribute('aria-hidden', 'true')
    }
  }, CAROUSEL_INTERVAL_MS)
}

for (const carousel of document.querySelectorAll<HTMLElement>('[data-fan]')) startCarousel(carousel)
