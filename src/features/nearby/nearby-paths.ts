/** Addresses of this feature. `paths` (src/lib/paths.ts) reaches every page's script, and these are on few pages. */
export const nearbyPaths = {
  homeZone: '/perfil/zona',
  /** The page after its form. @param query what came of it */
  homeZoneAfter: (query: Record<string, string>) => `/perfil/zona?${new URLSearchParams(query)}`,
  /** Where the page sets the member's notifications. */
  alerts: '/perfil/zona#avisame',
  api: { homeZone: '/api/profile/home-zone' },
} as const
