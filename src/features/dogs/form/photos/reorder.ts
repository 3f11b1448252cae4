/** Announcements while a photo is moved. `position` counts from 1. */
export const REORDER_TEXTS = {
  how: 'Para mover una foto con el teclado, pulsa Espacio sobre su asa, muévela con las flechas y suéltala con Espacio. Escape cancela.',
  lifted: (position: number, count: number) =>
    `Foto ${position} de ${count} levantada. Muévela con las flechas, suéltala con Espacio o cancela con Escape.`,
  over: (position: number, count: number) =>
    `La foto está en el lugar ${position} de ${count}${position === 1 ? ': es la portada' : ''}.`,
  dropped: (position: number, count: number) =>
    `Foto soltada en el lugar ${position} de ${count}${position === 1 ? ': es la portada' : ''}.`,
  cancelled: (position: number) => `Movimiento cancelado. La foto vuelve al lugar ${position}.`,
} as const

/** The index to which a key moves a lifted photo; null for other keys. */
export function keyTarget(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, index - 1)
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(count - 1, index + 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** How near the container's edge the pointer starts to scroll it, and the distance per frame. */
const SCROLL_EDGE_PX = 56
const SCROLL_STEP_PX = 9

/** How far to scroll a container in this frame, CSS pixels, for a pointer at `y`; negative near its top. */
export function scrollStep(y: number, top: number, bottom: number): number {
  if (y < top + SCROLL_EDGE_PX) return -SCROLL_STEP_PX
  return y > bottom - SCROLL_EDGE_PX ? SCROLL_STEP_PX : 0
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The index of the box that contains the point, else of the nearest one. */
export function placeAt(x: number, y: number, boxes: readonly Box[]): number {
  let nearest = -1
  let leastDistance = Infinity
  for (const [index, box] of boxes.entries()) {
    const dx = Math.max(box.left - x, 0, x - box.right)
    const dy = Math.max(box.top - y, 0, y - box.bottom)
    const distance = dx * dx + dy * dy
    if (distance < leastDistance) {
      leastDistance = distance
      nearest = index
    }
  }
  return nearest
}
