import { CAROUSEL_INTERVAL_MS, carouselPosition } from './photo-carousel.ts'

// Every 8 s the next photo comes up. It stops while somebody points at it, when they pause it, in hidden tabs, and
// never starts for those who asked for less motion.

function startCarousel(fan: HTMLElement): void {
  const photos = [...fan.querySelectorAll<HTMLElement>('figure')]
  const pause = fan.querySelector<HTMLButtonElement>('[data-fan-pause]')!
  if (photos.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  let step = 0
  pause.hidden = false
  pause.addEventListener('click', () => {
    pause.setAttribute('aria-pressed', String(pause.getAttribute('aria-pressed') !== 'true'))
  })
  setInterval(() => {
    if (document.hidden || fan.matches(':hover') || pause.getAttribute('aria-pressed') === 'true') return
    step++
    for (const [index, photo] of photos.entries()) {
      const place = carouselPosition(index, photos.length, step)
      photo.dataset.place = String(place)
      photo.toggleAttribute('aria-hidden', place === 0)
      if (place === 0) photo.setAttribute('aria-hidden', 'true')
    }
  }, CAROUSEL_INTERVAL_MS)
}

for (const fan of document.querySelectorAll<HTMLElement>('[data-fan]')) startCarousel(fan)
