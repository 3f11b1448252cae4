// A dog's photo keeps its place in the eye from its card to its page: the card that leads there lends its photo the name that
// the page's own has (features/dogs/page/gallery.css) for as long as the browser takes to leave.

const TRANSITION_NAME = 'dog-photo'

/** A transition that the browser calls off (a slow page, a second press) is nobody's error. */
function ignoreSkippedTransition(transition: ViewTransition | null): void {
  for (const part of ['ready', 'updateCallbackDone', 'finished'] as const) transition?.[part]?.catch(() => {})
}

addEventListener('pagereveal', ({ viewTransition }) => ignoreSkippedTransition(viewTransition))
addEventListener('pageswap', ({ activation, viewTransition }) => {
  ignoreSkippedTransition(viewTransition)
  const url = activation?.entry?.url
  if (!viewTransition || !url) return
  const path = new URL(url).pathname
  const card = [...document.querySelectorAll<HTMLAnchorElement>('[data-dog] h3 a')].find((a) => a.pathname === path)
  const photo = card?.closest('[data-dog]')?.querySelector<HTMLElement>('img.pic')
  if (!photo || !isInViewport(photo)) return
  photo.style.setProperty('view-transition-name', TRANSITION_NAME)
  // The page may be kept as it is for the way back.
  const end = () => photo.style.removeProperty('view-transition-name')
  viewTransition.finished.then(end, end)
})

function isInViewport(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
