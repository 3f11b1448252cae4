type Click = Pick<MouseEvent, 'defaultPrevented' | 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'preventDefault'>

/** Whether script may answer a click on a link: with a modifier key or another button the browser does. */
export const isPlainClick = (event: Click): boolean =>
  !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)

/** The element of `selector` that a plain click is on. */
export const findClicked = <T extends HTMLElement = HTMLAnchorElement>(event: MouseEvent, selector: string): T | null =>
  isPlainClick(event) && event.target instanceof Element ? event.target.closest<T>(selector) : null

/** A click handler that calls `act` instead of following the link, at a plain click. */
export const onPlainClick = (act: () => void) => (event: Click) => {
  if (!isPlainClick(event)) return
  event.preventDefault()
  act()
}
