import { createRoot } from 'react-dom/client'
import YetAnotherLightbox from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { photoSrc } from '#features/photos/photos.ts'
import { openLayer } from '#ui/open-layer.client.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './lightbox.css?url'

/** The numbers of docs/product.md §25.4 (Lightbox), explicit although most are the library's defaults. */
const LIGHTBOX_OPTIONS = {
  zoom: {
    maxZoomPixelRatio: 3,
    zoomInMultiplier: 2,
    doubleTapDelay: 300,
    doubleClickDelay: 300,
    doubleClickMaxStops: 2,
    keyboardMoveDistance: 20,
    scrollToZoom: true,
  },
  animation: { fade: 250, swipe: 500 },
  carousel: { preload: 2, padding: '16px', spacing: '30%' },
} as const

const LIGHTBOX_LABELS = {
  Previous: 'Foto anterior',
  Next: 'Foto siguiente',
  Close: 'Cerrar',
  'Zoom in': 'Acercar',
  'Zoom out': 'Alejar',
  Lightbox: 'Fotos a pantalla completa',
  Carousel: 'Fotos',
  Slide: 'Foto',
  'Photo gallery': 'Fotos',
  '{index} of {total}': 'Foto {index} de {total}',
}

/** The library gives the first focus to a container that has neither role nor name. */
function nameFocus(): void {
  const container = document.querySelector('.yarl__container')
  container?.setAttribute('role', 'group')
  container?.setAttribute('aria-label', LIGHTBOX_LABELS.Carousel)
}

/** Its styles load with it (ui/stylesheet.client.ts). */
let stylesLoaded: Promise<void> | undefined

/**
 * Shows photos full screen, starting at `index`. The focus returns to where it was.
 * @param photos URLs of stored photos with their alt texts
 * @param onLeave receives the index of the photo shown last
 */
export async function openLightbox(
  photos: { src: string; alt: string }[],
  index: number,
  onLeave: (index: number) => void,
): Promise<void> {
  await (stylesLoaded ??= loadStylesheet(styles))
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  const focusedBefore = document.activeElement as HTMLElement | null
  let current = index
  let isShown = true
  // The library listens only on its focused elements: none, once Tab has moved to the browser's toolbar.
  const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && render(false)
  document.addEventListener('keydown', closeOnEscape)
  const unmount = () => {
    document.removeEventListener('keydown', closeOnEscape)
    root.unmount()
    host.remove()
    focusedBefore?.focus()
    onLeave(current)
  }
  const slides = photos.map(({ src, alt }) => ({ src: photoSrc(src, 'carousel'), alt }))
  const render = (isOpen: boolean) => {
    isShown = isOpen
    root.render(
      <YetAnotherLightbox
        open={isOpen}
        close={() => render(false)}
        index={index}
        slides={slides}
        plugins={[Zoom]}
        labels={LIGHTBOX_LABELS}
        zoom={LIGHTBOX_OPTIONS.zoom}
        animation={LIGHTBOX_OPTIONS.animation}
        carousel={{ ...LIGHTBOX_OPTIONS.carousel, finite: photos.length === 1 }}
        controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
        on={{ entering: nameFocus, view: ({ index: viewed }) => (current = viewed), exited: () => setTimeout(unmount) }}
      />,
    )
  }
  render(true)
  openLayer({ isOpen: () => isShown, close: () => render(false) })
}
