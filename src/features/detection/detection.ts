import type * as z from 'zod/mini'
import type { detectionAnswer } from './answers.ts'

/** The breed that a photo shows and, best first, the breeds of the catalogue that it may show. */
export type DetectionResult = z.output<typeof detectionAnswer>

/** How sure the model says it is, best first. */
export const CONFIDENCES = ['alta', 'media', 'baja'] as const
export type Confidence = (typeof CONFIDENCES)[number]

/** A breed of the catalogue, by its name there. */
export interface BreedGuess {
  breed: string
  confidence: Confidence
}
/** Breeds that are read of one answer. */
export const MAX_BREEDS = 3

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
