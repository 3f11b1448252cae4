/** What a screen reader is told while a photo is moved. `at` and `of` count from 1. */
export const REORDER_TEXTS = {
  how: 'Para mover una foto con el teclado, pulsa Espacio sobre su asa, muévela con las flechas y suéltala con Espacio. Escape cancela.',
  lifted: (at: number, of: number) =>
    `Foto ${at} de ${of} levantada. Muévela con las flechas, suéltala con Espacio o cancela con Escape.`,
  over: (at: number, of: number) => `La foto está en el lugar ${at} de ${of}${at === 1 ? ': es la portada' : ''}.`,
  dropped: (at: number, of: number) => `Foto soltada en el lugar ${at} de ${of}${at === 1 ? ': es la portada' : ''}.`,
  cancelled: (at: number) => `Movimiento cancelado. La foto vuelve al lugar ${at}.`,
} as const

/** Where a key takes a lifted photo; null for a key that moves nothing. */
export function keyTarget(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(count - 1, at + 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The place whose box holds the point, else the nearest one; places keep their boxes whichever photo is in them. */
export function placeAt(x: number, y: number, boxes: readonly Box[]): number {
  let best = -1
  let least = Infinity
  for (const [index, box] of boxes.entries()) {
    const dx = Math.max(box.left - x, 0, x - box.right)
    const dy = Math.max(box.top - y, 0, y - box.bottom)
    const distance = dx * dx + dy * dy
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}
