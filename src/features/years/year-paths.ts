import type { CardName } from './cards.ts'

/** Addresses of the years. `paths` (src/lib/paths.ts) reaches every page's script: these are on few pages. */
export const yearPaths = {
  /** A member's own year; with the key of its link it is shown to whoever has it. */
  of: (year: number, key?: string) => `/perfil/${year}${key ? `?clave=${key}` : ''}`,
  /** A card of it as a picture. */
  card: (year: number, name: CardName, key?: string) => `/perfil/${year}/${name}.jpg${key ? `?clave=${key}` : ''}`,
  community: (year: number) => `/comunidad/${year}`,
  link: (year: number) => `/api/years/${year}/link`,
} as const
