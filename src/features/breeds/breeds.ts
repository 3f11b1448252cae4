import { slugify } from '#lib/text/slug.ts'

/** A row of data/razas.json (docs/product.md §26.1; the fields after `imagen_purina` are our own additions). */
export interface Breed {
  id: number
  nombre_castellano: string
  nombre_original: string
  nombre_ingles: string
  descripcion: string
  /** Comma list. */
  temperamento: string
  /** Comma list. */
  pelaje: string
  /** A slash joins two countries. */
  pais_origen: string
  proposito_original: string
  nivel_energia: string
  peso_kg_min: number
  peso_kg_max: number
  altura_cm_min: number
  altura_cm_max: number
  esperanza_vida_min: number
  esperanza_vida_max: number
  datos_curiosos: string[]
  imagen_purina: string
  fci_numero: number | null
  fci_grupo: number | null
  fci_seccion: string | null
  estado: string
  colores: string
  orejas: string
  cola: string
  hocico: string
  alias: string[]
}

/** The catalogue's name and slug of the mixed breed, which also counts every text that no mapping resolves. */
export const MIXED_BREED = 'Mestizo'
export const MIXED_SLUG = 'mestizo'

/**
 * Characters of a breed text (docs/product.md §22.4): letters, numbers, spaces, hyphens. All letters of the Latin script, so that
 * «Vallès» and «Orió» pass like «Cádiz».
 */
export const BREED_CHARACTERS = /^[\p{Script=Latin}\p{M}\d\s-]*$/u

/** The slug of a breed's name (docs/product.md §26.2). */
export const normaliseBreed = slugify
