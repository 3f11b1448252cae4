import type * as z from 'zod/mini'
import type { detectionAnswer } from './answers.ts'
/** A catalogue name, the name of a breed that the catalogue does not have, or null. */
export type DetectionResult = z.output<typeof detectionAnswer>

/** Error texts: those of docs/product.md §21.3 and some that it does not specify. */
export const DETECTION_TEXTS = {
  nothing: 'No se pudo detectar la raza',
  key: 'Error: API key inválida o expirada',
  tooMany: 'Error: Límite de uso excedido. Intenta más tarde',
  image: 'Error: Imagen no válida',
  off: 'Este sitio no tiene activada la detección de razas.',
  late: 'Error: El servicio que reconoce razas tarda demasiado',
  unreachable: 'Error: No se pudo conectar con el servicio que reconoce razas',
  garbled: 'Error: El servicio que reconoce razas ha respondido algo que no entendemos',
} as const
