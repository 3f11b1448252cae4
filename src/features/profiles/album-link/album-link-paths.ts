/** Addresses of the links that show what an album lacks. `paths` (src/lib/paths.ts) reaches every page's script. */
export const albumLinkPaths = {
  /** What the link's member lacks. The token is in the query: paths are logged. */
  missing: (token: string) => `/me-falta?${new URLSearchParams({ enlace: token })}`,
  /** Where a member makes and withdraws their link. */
  own: '/perfil/enlace',
} as const
