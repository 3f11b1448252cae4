/**
 * Replaces an image that fails to load by the placeholder (docs/product.md §21.3). Imported once by the shell; a capturing
 * listener also covers images that scripts insert later, since `error` does not bubble.
 */
import { paths } from '#lib/paths.ts'

function replaceByPlaceholder(image: HTMLImageElement): void {
  // A map tile may be missing, and a placeholder that fails itself must not be requested again.
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

// Images that failed before this script ran. A lazy image that was not requested yet is not complete.
for (const image of document.images)
  if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') replaceByPlaceholder(image)
