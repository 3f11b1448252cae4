import { formatCount } from '#lib/numbers.ts'

/** The sentences about links to an album (docs/product.md §6.10). */
export const ALBUM_LINK_TEXTS = {
  unknown: 'Este enlace no existe o ya no funciona',
  unknownHint: 'Quien te lo envió puede haberlo retirado. Pídele otro si lo quieres ver.',
  tooMany: 'Hoy ya has creado muchos enlaces. Mañana podrás crear otro.',
  /** What every page says that shows missing breeds: nothing is traded. */
  discover: 'Las razas no se cambian ni se regalan: una raza se descubre viendo un perro.',
} as const

/** «A Ana no le falta ninguna raza», «A Ana le falta 1 raza», «A Ana le faltan 12 razas». */
export function missingText(alias: string, count: number): string {
  if (count === 0) return `A ${alias} no le falta ninguna raza`
  return count === 1 ? `A ${alias} le falta 1 raza` : `A ${alias} le faltan ${formatCount(count)} razas`
}

/** What the member's page of their link shows. */
export interface AlbumLinkPage {
  /** The address that was just made. */
  path: string | null
  /** The living one; only its address contains the token. */
  link: { created_at: number } | null
  /** Why no link was made. */
  problem: string | null
  status: number
}
