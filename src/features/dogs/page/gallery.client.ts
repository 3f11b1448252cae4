import { inBackground } from '#lib/background.client.ts'
import { wrapIndex } from '#lib/numbers.ts'

/** Enables arrows, dots and full screen in every `[data-gallery]`. Swiping is native scrolling; a mouse loads what drags. */
export function startGalleries(): void {
  for (const gallery of document.querySelectorAll<HTMLElement>('[data-gallery]')) startGallery(gallery)
}

function startGallery(gallery: HTMLElement) {
  const strip = gallery.querySelector<HTMLElement>('[data-strip]')!
  const slides = [...strip.children] as HTMLElement[]
  const dots = [...gallery.querySelectorAll<HTMLAnchorElement>('[data-dots] a')]
  let current = 0

  const show = (index: number) => {
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
    strip.scrollTo({
      left: slides[index]!.offsetLeft - strip.offsetLeft,
      behavior: prefersReducedMotion ? 'instant' : 'smooth',
    })
  }
  const setCurrent = (index: number) => {
    current = index
    dots.forEach((dot, i) => (dot.ariaCurrent = i === index ? 'true' : null))
  }

  const followScroll = () => setCurrent(Math.round(strip.scrollLeft / strip.clientWidth))
  strip.addEventListener('scroll', followScroll, { passive: true })
  followScroll()
  strip.addEventListener('mouseenter', () => inBackground(import('#features/dogs/card/photo-stack.client.ts')), {
    once: true,
  })

  gallery.addEventListener('click', (event) => {
    const target = event.target as Element
    const step = target.closest<HTMLElement>('[data-step]')?.dataset.step
    const dot = target.closest('[data-dots] a')
    if (step) show(wrapIndex(current, Number(step), slides.length))
    else if (dot) {
      event.preventDefault()
      show(dots.indexOf(dot as HTMLAnchorElement))
    } else if (target.closest('[data-zoom], [data-strip] img')) void openFullScreen()
  })

  async function openFullScreen() {
    const { openLightbox } = await import('./Lightbox.tsx')
    const images = [...strip.querySelectorAll('img')]
    await openLightbox(
      images.map((image) => ({ src: image.dataset.full!, alt: image.alt })),
      current,
      (index) => show(index),
    )
  }
}
