/**
 * Calls `onResize` in the frame after each change of an element's size, and once at the start.
 * Never inside the observer's own callback: React renders all updates that wait, and one that resizes an element whose observer
 * has run is an error of the page («ResizeObserver loop»).
 * @returns ends it
 */
export function observeSize(element: Element, onResize: () => void): () => void {
  let frame = 0
  const observer = new ResizeObserver(() => {
    frame = requestAnimationFrame(onResize)
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}
