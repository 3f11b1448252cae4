// View transition of a dog's photo from its card to its page: while the browser leaves, the card's photo has the transition name of
// the page's photo (features/dogs/page/gallery.css).

const TRANSITION_NAME = 'dog-photo'

// A transition that the browser skips (a slow page, a second click) is no error. Chromium rejects also one that is over before the page is
// revealed, which no script gets to see.
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && /transition/i.test(event.reason.message)) event.preventDefault()
})
addEventListener('pageswap', ({ activation, viewTransition }) => {
  const url = activation?.entry?.url
  if (!viewTransition || !url) return
  const path = new URL(url).pathname
  const card = [...document.querySelectorAll<HTMLAnchorElement>('[data-dog] h3 a')].find((a) => a.pathname === path)
  const photo = card?.closest('[data-dog]')?.querySelector<HTMLElement>('img.pic')
  if (!photo || !isInViewport(photo)) return
  photo.style.setProperty('view-transition-name', TRANSITION_NAME)
  // The back/forward cache may store the page in this state.
  const removeName = () => photo.style.removeProperty('view-transition-name')
  viewTransition.finished.then(removeName, removeName)
})

function isInViewport(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
