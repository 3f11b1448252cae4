/** What the detection answers: a catalogue name, a breed's name the catalogue does not know, or none. */
export interface DetectionResult {
  breed: string | null
}

/** What went wrong, as the person reads it: the error catalogue's rows (docs/product.md §21.3) and what they leave open. */
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
