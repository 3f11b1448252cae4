import type { OpenMap } from './leaflet.client.ts'

/** Pixels of a step; three times as many with Shift. */
const PAN_STEP_PX = 80
const ARROW_VECTORS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Handles keys on the map and its marks: arrows pan, + and - zoom, Escape closes the popup. */
export function listenToKeys(open: OpenMap): void {
  const { map } = open
  const box = map.getContainer()
  box.tabIndex = 0
  box.addEventListener('keydown', (event) => {
    const { target, altKey, ctrlKey, metaKey } = event
    if (altKey || ctrlKey || metaKey || !(target instanceof Element && target.matches('.map-box, .mark'))) return
    if (moveByKey(open, event)) event.preventDefault()
  })
}

function moveByKey({ map, takeOver, zoomBy }: OpenMap, { key, shiftKey }: KeyboardEvent): boolean {
  const arrow = ARROW_VECTORS[key]
  const step = shiftKey ? PAN_STEP_PX * 3 : PAN_STEP_PX
  if (arrow) {
    takeOver()
    map.panBy([arrow[0] * step, arrow[1] * step], { animate: false })
  } else if (key === '+' || key === '=') zoomBy(1)
  else if (key === '-' || key === '_') zoomBy(-1)
  else if (key === 'Escape') map.closePopup()
  else return false
  return true
}
