import { whenFirstPhotosPainted } from './first-paint.client.ts'

// Browsers load lazy photos from far below the screen, a dozen at once, and on a slow line these take it from the ones that
// the reader waits for. card.css holds them back until the first are seen, or somebody scrolls.
const releaseLazyPhotos = () => {
  document.documentElement.dataset.painted = ''
  removeEventListener('scroll', releaseLazyPhotos)
}
addEventListener('scroll', releaseLazyPhotos, { passive: true })
void whenFirstPhotosPainted(document).then(releaseLazyPhotos)
