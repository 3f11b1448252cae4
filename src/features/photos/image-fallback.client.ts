/**
 * Puts the placeholder where an image fails to load (docs/product.md §21.3). Imported once by the shell; images that scripts insert
 * later are covered as well, because `error` does not bubble but is seen on its way down.
 */
import { paths } from '#lib/paths.ts'

function replaceByPlaceholder(image: HTMLImageElement): void {
  // A missing map tile is no broken picture, and a placeholder that is missing itself must not be asked for again.
  if (image.classList.contains('leaflet-tile') || image.getAttribute('src') === paths.placeholder) return
  for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.remove()
  image.removeAttribute('srcset')
  image.src = paths.placeholder
  image.dataset.broken = ''
}

document.addEventListener(
  'error',
  ({ target }) => target instanceof HTMLImageElement && replaceByPlaceholder(target),
  true,
)

// Those that failed before this script ran. A lazy image that was not asked for yet is not complete.
for (const image of document.images)
  if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') replaceByPlaceholder(image)
