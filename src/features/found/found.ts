export const FOUND_SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
export type FoundSize = (typeof FOUND_SIZES)[number]

/** Distances that finders and owners are told of, km: «a menos de 5 km», never metres. */
export const BANDS_KM = [5, 10, 25, 50] as const
export type BandKm = (typeof BANDS_KM)[number]

export const formatBand = (km: number): string => `a menos de ${km} km`

export const FOUND_TEXTS = {
  unknownZone: 'No conocemos ese lugar. Prueba con el nombre del pueblo o del barrio.',
  wideZone: 'Ese lugar es demasiado grande. Di un pueblo o un barrio.',
  sea: 'Ese punto cae en el mar. Marca dónde lo has encontrado o escribe el pueblo.',
} as const
