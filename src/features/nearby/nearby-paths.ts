/** Addresses of this feature. `paths` (src/lib/paths.ts) reaches every page's script, and these are on few pages. */
export const nearbyPaths = {
  homeZone: '/perfil/avisos#mi-zona',
  /** The page after its form. @param query what came of it */
  homeZoneAfter: (query: Record<string, string>) => `/perfil/avisos?${new URLSearchParams(query)}#mi-zona`,
  /** Where the page sets the member's notifications. */
  alerts: '/perfil/avisos#avisame',
  api: { homeZone: '/api/profile/home-zone' },
} as const
