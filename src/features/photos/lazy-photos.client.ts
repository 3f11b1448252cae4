import { whenFirstPhotosPainted } from './first-paint.client.ts'

// Browsers load a dozen lazy photos from below the screen at once, and on a slow connection these delay the visible ones.
// card.css hides lazy photos until the first ones are painted or the page is scrolled.
const releaseLazyPhotos = () => {
  document.documentElement.dataset.painted = ''
  removeEventListener('scroll', releaseLazyPhotos)
}
addEventListener('scroll', releaseLazyPhotos, { passive: true })
void whenFirstPhotosPainted(document).then(releaseLazyPhotos)
