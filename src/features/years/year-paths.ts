import type { CardName } from './cards.ts'

/** Addresses of the years. `paths` (src/lib/paths.ts) reaches every page's script: these are on few pages. */
export const yearPaths = {
  /** A member's own year; with the token of its link others see it too. */
  of: (year: number, token?: string) => `/perfil/${year}${token ? `?clave=${token}` : ''}`,
  /** A card of it as a picture. */
  card: (year: number, name: CardName, token?: string) =>
    `/perfil/${year}/${name}.jpg${token ? `?clave=${token}` : ''}`,
  community: (year: number) => `/comunidad/${year}`,
  link: (year: number) => `/api/years/${year}/link`,
} as const
